import { expect, test, vi } from 'vitest'

vi.mock('#mac', () => import('../../src/verify/mac-web.ts'))

test('the MAC of these tests is computed by crypto.subtle', async () => {
  const sign = vi.spyOn(crypto.subtle, 'sign')
  const { received } = await import('../deliveries.ts')
  expect((await received('message.read')).delivery.event).toBe('message.read')
  expect(sign).toHaveBeenCalledTimes(1)
})

// What waits for a MAC again, by the same tests: here each is a promise.
await import('../observe/hooks.test.ts')
await import('../receiver.test.ts')
await import('../vectors.test.ts')
await import('../request/web-request.test.ts')
await import('./secret-function.test.ts')
await import('./secret.test.ts')
await import('../contract/sign.test.ts')
await import('../properties.test.ts')
