import { createServer } from 'node:http'
import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import { beforeAll, vi } from 'vitest'
import { serve } from './serving.ts'

// The handler that fails on purpose is printed on standard error.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

describeMisbehavingClients('aws-lambda', ({ secret, now, path, onDelivery }) => {
  const handler = webhookHandler(secret, onDelivery, { now, onRejected: false })
  return serve(handler, path, {}, createServer(SHORT_TIMEOUTS))
})
