import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/node'
import { describeRejections } from '@webhook-receiver/suites'

describeRejections('node:http', ({ secret, path, headers, options }) => {
  const receiver = webhookHandler(secret, { any() {} }, { path, ...options })
  return listening(
    createServer((req, res) => {
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      return receiver(req, res)
    }),
  )
})
