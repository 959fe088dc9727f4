// Receives with the store or the inbox that a module makes, or invokes its `handler` of a Lambda function. As where a framework loads a route, the module
// is loaded by the first request.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { webhookHandler } from '@webhook-receiver/node'

const [file, port] = process.argv.slice(2)
let loading

createServer(async (request, response) => {
  loading ??= import(pathToFileURL(file).href)
  try {
    const { store, inbox, handler } = await loading
    const respond = handler
      ? invoke(handler)
      : webhookHandler(process.env.WEBHOOK_SECRET, inbox?.receive('messages') ?? (() => {}), {
          store,
        })
    await respond(request, response)
  } catch (error) {
    response.writeHead(500).end(`The module cannot be loaded: ${error}`)
  }
}).listen(Number(port), '127.0.0.1')

/** As API Gateway does, by its payload format 2.0. */
function invoke(handler) {
  return async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { statusCode, headers, body } = await handler({
      version: '2.0',
      rawPath: '/',
      headers: request.headers,
      requestContext: { http: { method: request.method, path: '/' } },
      body: Buffer.concat(chunks).toString('base64'),
      isBase64Encoded: true,
    })
    response.writeHead(statusCode, headers).end(body)
  }
}
