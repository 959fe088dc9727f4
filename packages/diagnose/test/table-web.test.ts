import { vi } from 'vitest'
import { testTable } from './table.ts'

vi.mock('@webhook-receiver/core/internal', async (original) => {
  const { webMac } = await import('./web-mac.ts')
  return { ...(await original<object>()), mac: webMac }
})

testTable('WebCrypto')
