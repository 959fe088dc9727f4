import { vi } from 'vitest'
import { testTable } from './table.ts'

vi.mock('@webhook-receiver/core/internal', async (original) => {
  const { mac } = await import('../../core/src/verify/mac-web.ts')
  return { ...(await original<object>()), mac }
})

testTable('WebCrypto')
