import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/core'
import { describeHandler, describeOptions, describeSchemes } from '@webhook-receiver/suites'

const serve = (handler: (request: Request) => Promise<Response>) =>
  listening(createServer(getRequestListener((request) => handler(request))))

describeHandler('core', ({ secret, now, path, handlers, options }) => {
  const POST = webhookHandler(secret, handlers, { now, onRejected: false, ...options })
  const none = async () => new Response(null, { status: 404 })
  return serve((request) => (new URL(request.url).pathname === path ? POST(request) : none()))
})

for (const describeEach of [describeSchemes, describeOptions]) {
  describeEach('core', 'handler', ({ secret, now, work, options }) =>
    serve(webhookHandler(secret, { any: work }, { now, onRejected: false, ...options })),
  )
}
