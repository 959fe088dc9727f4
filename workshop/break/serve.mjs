// Receives with the store, the inbox or the queue of a module, or invokes its `handler` of a Lambda function: node serve.mjs MODULE. As where a framework
// loads a route, the module is loaded by the first request. A path such as /stripe names a scheme.
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { invoke } from '@webhook-receiver/checks/lambda.mjs'
import { webhookHandler } from '@webhook-receiver/core'

import { listen } from './applications.mjs'

const schemes = await import('@webhook-receiver/schemes')
let loading

async function respond(request) {
  loading ??= import(process.argv[2])
  try {
    const { store, inbox, handler, enqueue } = await loading
    if (handler) return await invoke(handler, request)
    const scheme = schemes[new URL(request.url).pathname.slice(1)]
    const duplicates = scheme?.name === 'github' ? 'body' : undefined
    const handlers = enqueue ?? inbox?.receive('messages') ?? (() => {})
    const options = { store, scheme, duplicates, timeout: enqueue && 5 }
    return await webhookHandler(process.env.WEBHOOK_SECRET, handlers, options)(request)
  } catch (error) {
    return new Response(`The module cannot be loaded: ${error}`, { status: 500 })
  }
}

await listen(createServer(getRequestListener(respond)))
