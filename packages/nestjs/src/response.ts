import type { SchemeResponse } from '@webhook-receiver/core'
import { respond as respondOnNode, writing } from '@webhook-receiver/node/adapter'
import { type NestReply, rawOf } from './request.ts'

/** Sends a response through the platform, so that headers that others have set stay. */
export function respond(reply: NestReply, response: SchemeResponse): void {
  const raw = rawOf(reply)
  if (!reply.hijack) {
    respondOnNode(raw, response)
    return
  }
  if (raw.headersSent) return
  const { status, headers, body } = response
  writing(raw, () => {
    for (const [name, value] of Object.entries(headers ?? {})) reply.header(name, value)
    // Bytes, because Fastify adds a charset to the type of text.
    reply.code(status).send(body === undefined ? undefined : Buffer.from(body as Uint8Array))
  })
}
