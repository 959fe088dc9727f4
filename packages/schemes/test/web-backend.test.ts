import { mac } from '@webhook-receiver/core/internal'
import { expect, test, vi } from 'vitest'
import { crypto } from '#crypto'
import { mac as webMac } from '../../core/src/verify/mac-web.ts'
import { crypto as web } from '../src/crypto/crypto-web.ts'

vi.mock('#crypto', () => import('../src/crypto/crypto-web.ts'))
vi.mock('../../core/src/verify/mac-node.ts', () => import('../../core/src/verify/mac-web.ts'))

test('these tests run on WebCrypto', () => {
  expect(crypto).toBe(web)
  expect(mac).toBe(webMac)
})

await import('./vectors.test.ts')
await import('./mistakes.test.ts')
await import('./secret.test.ts')
await import('./signatures.test.ts')
