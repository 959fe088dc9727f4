import type { SchemeResponse } from '@webhook-receiver/core'
import {
  closeAfterResponse,
  closesConnection,
  discardBody,
  discardRest,
  discardStream,
  isWebhookError,
  responseTo,
} from '@webhook-receiver/core/adapter'
import type { Context } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import type { HonoIncoming } from './incoming.ts'

/**
 * Responds to a request that is not a delivery. Most clients send their whole body before they look at a response, and report a broken pipe
 * when the connection is closed before that.
 *
 * So the rest of a body within `limit` is read and thrown away, and the connection lives on. Past that, on Node, the response is
 * sent whole, with `Connection: close`, and does not end before the request was read on for a while.
 *
 * @throws the error itself with `forwardErrors`, unless the request was not read to its end; and what has no response.
 */
export async function respondIncoming(
  incoming: HonoIncoming,
  error: unknown,
  limit: number,
  forwardErrors: boolean | undefined,
): Promise<Response> {
  try {
    const { context: c, node, declared } = incoming
    const response = responseTo(error)
    if (!response) throw error
    if (isWebhookError(error)) {
      if (node) {
        if (!(await discardRest(node, error, declared, limit))) {
          closeAfterResponse(node)
          const { Connection, ...headers }: Record<string, string> = response.headers ?? {}
          // HTTP/2 has no such header (RFC 9113, section 8.2.2).
          if (node.httpVersionMajor < 2) headers.Connection = 'close'
          return respond(c, { ...response, headers }, discardStream(node))
        }
      } else if (
        !closesConnection(error) &&
        !(await discardBody(c.req.raw)) &&
        c.env?.incoming &&
        // A timeout in front, say, has responded in the meantime.
        !c.finalized
      ) {
        // Otherwise the server reads on by itself, for much longer.
        c.header('Connection', 'close')
      }
      if (forwardErrors) throw error
    }
    return respond(c, response)
  } finally {
    try {
      // What reads the body behind `next()` would throw, and Hono respond with 500.
      incoming.restore()
    } catch {
      // A GET has none, and of what stands in for a Request none can be made.
    }
  }
}

/** Responds with the headers that others have set, and ends the response after `work`. */
export function respond(
  c: Context,
  { status, headers, body }: SchemeResponse,
  work?: Promise<unknown>,
): Response {
  // Hono's type lists the statuses that it has names for.
  const code = status as StatusCode
  if (body === undefined) return c.newResponse(null, code, { ...headers })
  return c.newResponse(work ? endingAfter(work, body) : body, code, {
    ...headers,
    // The server counts text by itself, and older ones would send this header twice.
    ...(work && { 'Content-Length': String(body.length) }),
  })
}

function endingAfter(
  work: Promise<unknown>,
  body: string | Uint8Array,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      await work
      controller.close()
    },
  })
}
