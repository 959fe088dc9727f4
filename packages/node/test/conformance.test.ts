import { createServer } from 'node:http'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/node'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import { beforeAll, vi } from 'vitest'

// The handler that fails on purpose is printed on standard error.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeAdapter('node:http', ({ secret, now, path, onDelivery }) =>
  listening(createServer(webhookHandler(secret, onDelivery, { path, now, onRejected: false }))),
)

describeMisbehavingClients('node:http', ({ secret, now, path, onDelivery }) => {
  const handler = webhookHandler(secret, onDelivery, { path, now, onRejected: false })
  return listening(createServer(SHORT_TIMEOUTS, handler))
})
