import type { SchemeResponse } from '@webhook-receiver/core'
import { writing } from '@webhook-receiver/node/adapter'
import type { FastifyReply } from 'fastify'

/** Sends a response, unless something else has responded in the meantime. */
export function respond(reply: FastifyReply, { status, headers, body }: SchemeResponse): void {
  if (reply.sent) return
  writing(reply.raw, () => {
    // Something in front may have announced a body of its own.
    for (const name of BODY_HEADERS) if (reply.hasHeader(name)) reply.removeHeader(name)
    // Without a serializer, Fastify adds a charset to the type of text. Bytes leave in a buffer apart from the headers, which takes longer.
    if (typeof body === 'string') reply.serializer(serialize)
    if (headers) reply.headers({ ...headers })
    reply.code(status).send(typeof body === 'object' ? Buffer.from(body.buffer) : body)
  })
}

const BODY_HEADERS = ['content-encoding', 'content-range', 'content-length']

/** Text as it is; what an error handler of the application sends instead, if a hook fails, as JSON. */
function serialize(payload: unknown): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload)
}

/** Leaves the response to the receiver, with the headers that others have set. */
export function takeOver(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
}
