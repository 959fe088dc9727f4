// A receiver in a separate process, which prints its port on standard error: node receiver.mjs KIND [OPTIONS as JSON].
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createReceiver } from '@webhook-receiver/core'
import { applications, listen } from './applications.mjs'

const [kind, given = '{}'] = process.argv.slice(2)
const { onAccepted, ...others } = JSON.parse(given)
const { WEBHOOK_SECRET: secret } = process.env

// The tests are about memory: on a busy machine, a body of a million chunks takes longer than the default allows.
const options = {
  bodyTimeout: Number.POSITIVE_INFINITY,
  ...(onAccepted && { onAccepted() {} }),
  ...others,
}
const make = applications[kind] ?? overRequest
await listen(await make(secret, options))

/**
 * `receiveRequest` over a web-standard Request, as @hono/node-server makes it, or over a stream with as many chunks of
 * one byte as a header asks for.
 */
function overRequest(secret, options) {
  const receiver = createReceiver(secret, options)
  return createServer(
    getRequestListener(async (request) => {
      const { method, headers, url } = request
      if (new URL(url).pathname !== '/webhooks') return new Response(null, { status: 404 })
      const chunks = Number(headers.get('x-chunks'))
      const init = chunks && { method, headers, body: tinyChunks(chunks), duplex: 'half' }
      try {
        await receiver.receiveRequest(init ? new Request(url, init) : request)
        return new Response(null, { status: 204 })
      } catch (error) {
        return error.getResponse()
      }
    }),
  )
}

function tinyChunks(left) {
  return new ReadableStream({
    async pull(controller) {
      // Other requests get their turn, as they do where chunks come from a socket.
      if (left % 10_000 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (left-- > 0) controller.enqueue(new Uint8Array([120]))
      else controller.close()
    },
  })
}
