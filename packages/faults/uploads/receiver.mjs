// A process with one receiver. It tells its port on standard error, as the examples do. With `told` it has an
// `onAccepted`.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createReceiver } from '@webhook-receiver/core'
import { applications } from '@webhook-receiver/tools/applications.mjs'

const [kind, told] = process.argv.slice(2)
const { WEBHOOK_SECRET: secret } = process.env

const server = await (applications[kind] ?? { request, stream }[kind])(
  secret,
  told ? { onAccepted() {} } : {},
)
server.listen(Number(process.env.PORT), '127.0.0.1')
await once(server, 'listening')
console.error(`Listening on http://localhost:${server.address().port}/webhooks`)

/** `receiveRequest` over a web-standard Request, as @hono/node-server makes it. */
function request(secret, options) {
  const receiver = createReceiver(secret, options)
  return createServer(getRequestListener((request) => answer(receiver, request)))
}

/** `receiveRequest` over a stream that brings as many chunks of one byte as the request asks for by a header. */
function stream(secret, options) {
  const receiver = createReceiver(secret, options)
  const listener = getRequestListener((request) => {
    const { method, headers, url } = request
    const chunks = Number(headers.get('x-chunks'))
    if (!chunks) return answer(receiver, request)
    return answer(
      receiver,
      new Request(url, { method, headers, body: tiny(chunks), duplex: 'half' }),
    )
  })
  return createServer(listener)
}

async function answer(receiver, request) {
  if (new URL(request.url).pathname !== '/webhooks') return new Response(null, { status: 404 })
  try {
    await receiver.receiveRequest(request)
    return new Response(null, { status: 204 })
  } catch (error) {
    return error.getResponse()
  }
}

function tiny(chunks) {
  let left = chunks
  return new ReadableStream({
    async pull(controller) {
      // Other requests get their turn, as they do where chunks come from a socket.
      if (left % 10_000 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (left-- > 0) controller.enqueue(new Uint8Array([120]))
      else controller.close()
    },
  })
}
