// Receives with the store or the inbox that a module makes, or invokes its `handler` of a Lambda function. As where a framework loads a route, the module
// is loaded by the first request.
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { invoke } from '@webhook-receiver/checks/lambda.mjs'
import { webhookHandler } from '@webhook-receiver/core'

const [file, port] = process.argv.slice(2)
let loading

async function respond(request) {
  loading ??= import(pathToFileURL(file).href)
  try {
    const { store, inbox, handler } = await loading
    if (handler) return await invoke(handler, request)
    const handlers = inbox?.receive('messages') ?? (() => {})
    return await webhookHandler(process.env.WEBHOOK_SECRET, handlers, { store })(request)
  } catch (error) {
    return new Response(`The module cannot be loaded: ${error}`, { status: 500 })
  }
}

serve({ fetch: respond, port: Number(port), hostname: '127.0.0.1' })
