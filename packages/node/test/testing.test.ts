import { webhookListener } from '@webhook-receiver/node'
import { deliverTo, toResponse } from '@webhook-receiver/node/testing'
import { expect, test, vi } from 'vitest'

const secret = 'whsec_node'

test('the handler of a listener gets the delivery', async () => {
  const handler = vi.fn()
  const listener = webhookListener(secret, handler, { path: '/webhooks' })
  const answer = await deliverTo(listener, 'message.sent', { text: 'hello' }, { secret })
  expect(answer.status).toBe(204)
  expect(handler.mock.calls[0]?.[0]).toMatchObject({ event: 'message.sent', known: true })
})

test('a delivery that is signed with another secret is answered 401', async () => {
  const handler = vi.fn()
  const listener = webhookListener(secret, handler, { onRejected: false })
  const answer = await deliverTo(listener, 'message.sent', {}, { secret: 'whsec_other' })
  expect(answer.status).toBe(401)
  expect(handler).not.toHaveBeenCalled()
})

test('the answer has its status, its body, and each of its headers', async () => {
  const answer = await deliverTo(
    (_req, res) => res.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], 'X-One': '1' }).end('tea'),
    'message.sent',
    {},
    { secret },
  )
  expect([answer.status, await answer.text()]).toEqual([418, 'tea'])
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(answer.headers.get('x-one')).toBe('1')
})

test('a header that is not set is left out', () => {
  const { headers } = toResponse(200, { 'x-none': undefined, 'x-one': 1 }, Buffer.from(''))
  expect([...headers]).toEqual([['x-one', '1']])
})

test('an application that is none is a TypeError', async () => {
  const delivered = Reflect.apply(deliverTo, undefined, [{}, 'message.sent', {}, { secret }])
  await expect(delivered).rejects.toThrow(/should be a function of a request and a response/)
})

test('an application that closes the connection is an error, and leaves no server behind', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')
  const delivered = deliverTo((req) => void req.destroy(), 'message.sent', {}, { secret })
  await expect(delivered).rejects.toThrow(/socket hang up|ECONNRESET/)
  const after = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap')
  expect(after).toEqual(before)
})
