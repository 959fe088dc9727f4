import { webhookListener } from '@webhook-receiver/node'
import { deliverTo } from '@webhook-receiver/node/testing'
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
