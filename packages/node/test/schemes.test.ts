import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/node'
import { describeSchemes } from '@webhook-receiver/suites'

describeSchemes('node:http', 'handler', ({ secret, now, path, work, options }) =>
  listening(
    createServer(
      webhookHandler(secret, { any: work }, { path, now, onRejected: false, ...options }),
    ),
  ),
)
