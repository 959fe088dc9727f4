import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PreparedDelivery } from '@webhook-receiver/core/testing'
import { toResponse } from './to-response.ts'

/**
 * Posts a delivery to a listener, on a separate server on a free port of 127.0.0.1. When the response is
 * there, the server and its connections are gone.
 */
export async function postTo(
  listener: RequestListener,
  delivery: PreparedDelivery,
): Promise<Response> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await post(server.address() as AddressInfo, delivery)
  } finally {
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
}

/** By node:http, since a test may have replaced `fetch`, and on a connection that nothing keeps. */
function post(
  { address, port }: AddressInfo,
  { path, headers, body }: PreparedDelivery,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port, path, headers, method: 'POST', agent: false }
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const { statusCode = 0, headers } = incoming
        resolve(toResponse(statusCode, headers, Buffer.concat(chunks)))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
