import { expect, test, vi } from 'vitest'
import { mac } from '#mac'
import { mac as web } from '../src/mac-web.ts'

vi.mock('#mac', () => import('../src/mac-web.ts'))

test('these tests run on WebCrypto', async () => {
  const node = await vi.importActual<typeof import('#mac')>('#mac')
  expect(mac).toBe(web)
  expect(mac).not.toBe(node.mac)
})

test('the MAC of these tests is computed by crypto.subtle', async () => {
  const sign = vi.spyOn(crypto.subtle, 'sign')
  const { received } = await import('./deliveries.ts')
  expect((await received('message.read')).delivery.event).toBe('message.read')
  expect(sign).toHaveBeenCalledTimes(1)
  sign.mockRestore()
})

// Every verdict again, and by the same tests.
await import('./age.test.ts')
await import('./disclosure.test.ts')
await import('./envelope.test.ts')
await import('./head.test.ts')
await import('./hooks.test.ts')
await import('./json.test.ts')
await import('./order.test.ts')
await import('./receiver.test.ts')
await import('./request.test.ts')
await import('./schema.test.ts')
await import('./secret-function.test.ts')
await import('./secret.test.ts')
await import('./signature.test.ts')
await import('./testing.test.ts')
await import('./unprocessable.test.ts')
