// Serves what a module exports: an application with `fetch`, the `POST` of a route, or the `handler` of an AWS Lambda function.
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'

const [file, port] = process.argv.slice(2)
const { default: application, POST, handler } = await import(pathToFileURL(file).href)
const handle = POST ?? (handler ? invoke : application.fetch.bind(application))
serve({ fetch: (request) => handle(request, process.env), port: Number(port) })

/** As API Gateway invokes a function, by its payload format 2.0. Every body is passed as binary. */
async function invoke(request) {
  const bytes = Buffer.from(await request.arrayBuffer())
  const { pathname: path } = new URL(request.url)
  const { statusCode, headers, body } = await handler({
    version: '2.0',
    rawPath: path,
    headers: Object.fromEntries(request.headers),
    requestContext: { http: { method: request.method, path } },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  })
  // No response with the status 204 has a body.
  return new Response(body || null, { status: statusCode, headers })
}
