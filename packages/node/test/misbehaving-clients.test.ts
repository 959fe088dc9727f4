import { createServer } from 'node:http'
import {
  describeMisbehavingClients,
  listening,
  SHORT_TIMEOUTS,
} from '@webhook-receiver/conformance'
import { webhookListener } from '@webhook-receiver/node'
import { beforeAll, vi } from 'vitest'

// The handler that fails on purpose is printed on standard error.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeMisbehavingClients('node:http', ({ secret, now, path, onDelivery }) => {
  const listener = webhookListener(secret, onDelivery, { path, now, onRejected: false })
  return listening(createServer(SHORT_TIMEOUTS, listener))
})
