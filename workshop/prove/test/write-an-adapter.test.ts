import { signedRequest } from '@webhook-receiver/core/testing'
import { expect, test, vi } from 'vitest'
import { importBlock } from './documents.ts'

const SECRET = 'whsec_write_an_adapter'

type Form = (c: object, next?: () => Promise<Response>) => Promise<Response>

const adapter = await importBlock<
  Record<'webhookHandler' | 'webhookMiddleware', (...given: readonly unknown[]) => Form>
>('docs/guides/write-an-adapter.md', 'adapter.ts')

const handled = vi.fn()
const next = vi.fn(async () => new Response('next'))

async function context(secret: string) {
  handled.mockClear()
  next.mockClear()
  return { request: await signedRequest('message.received', {}, { secret }), state: {} }
}

test('the handler of the guide gets a verified delivery and responds with 204', async () => {
  const c = await context(SECRET)
  const response = await adapter.webhookHandler(SECRET, {
    'message.received': (delivery: { event: string }, { request }: { request: unknown }) =>
      handled(delivery.event, request === c),
  })(c)
  expect(response.status).toBe(204)
  expect(handled.mock.calls).toEqual([['message.received', true]])
})

test('the handler of the guide rejects a forged request with 401 and runs nothing', async () => {
  const response = await adapter.webhookHandler(SECRET, handled, { onRejected: false })(
    await context('whsec_other'),
  )
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ code: 'not_authenticated' })
  expect(handled).not.toHaveBeenCalled()
})

test('the middleware of the guide attaches a verified delivery and calls the next function', async () => {
  const c = await context(SECRET)
  const response = await adapter.webhookMiddleware(SECRET)(c, next)
  expect(await response.text()).toBe('next')
  expect(c.state).toMatchObject({ delivery: { event: 'message.received', known: true } })
})

test('the middleware of the guide rejects a forged request with 401, or forwards the error', async () => {
  const options = { onRejected: false }
  const receive = adapter.webhookMiddleware(SECRET, options)
  expect((await receive(await context('whsec_other'), next)).status).toBe(401)
  expect(next).not.toHaveBeenCalled()

  const forwarding = adapter.webhookMiddleware(SECRET, { ...options, forwardErrors: true })
  await expect(forwarding(await context('whsec_other'), next)).rejects.toMatchObject({
    reason: 'signature_mismatch',
  })
  expect(next).not.toHaveBeenCalled()
})
