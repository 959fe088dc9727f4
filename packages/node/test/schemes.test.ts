import { createServer } from 'node:http'
import { describeSchemes, listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/node'

describeSchemes('node:http', 'handler', ({ secret, now, path, work, options }) =>
  listening(
    createServer(
      webhookHandler(secret, { any: work }, { path, now, onRejected: false, ...options }),
    ),
  ),
)
