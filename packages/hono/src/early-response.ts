import type { WebhookError } from '@webhook-receiver/core/adapter'
import { type DiscardableStream, discardRest, discardStream } from '@webhook-receiver/core/adapter'

/**
 * Makes sure that a refusal over Node is seen. Most clients send their whole body before they look at an answer,
 * and report a broken pipe when the connection is closed before that.
 *
 * So the rest of a body within `limit` is read and thrown away, and Hono answers (resolves to `undefined`; the
 * connection lives on). Past that it resolves to the answer: it is sent whole, with `Connection: close`, and does not
 * end before the request was read on for a while.
 */
export async function earlyResponse(
  incoming: DiscardableStream,
  error: WebhookError,
  declared: number,
  limit: number,
): Promise<Response | undefined> {
  if (await discardRest(incoming, error, declared, limit)) return undefined
  const body = new TextEncoder().encode(JSON.stringify(error))
  return new Response(endingAfter(discardStream(incoming), body), {
    status: error.status,
    headers: {
      ...error.headers,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Connection: 'close',
    },
  })
}

function endingAfter(work: Promise<unknown>, bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes)
      await work
      controller.close()
    },
  })
}
