import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/core'
import { describeSchemes } from '@webhook-receiver/suites'

describeSchemes('core', 'handler', ({ secret, now, work, options }) => {
  const POST = webhookHandler(secret, { any: work }, { now, onRejected: false, ...options })
  return listening(createServer(getRequestListener((request) => POST(request))))
})
