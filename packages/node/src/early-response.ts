import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookError } from '@webhook-receiver/core/adapter'
import { closeAfterAnswer, discardRest, discardStream } from '@webhook-receiver/core/adapter'

interface RefusedExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly takeOver: (() => void) | undefined
}

/**
 * Makes sure that a refusal is seen. Most clients send their whole body before they look at an answer,
 * and report a broken pipe when the connection is closed before that.
 *
 * So the rest of a body within `limit` is read and thrown away, and the framework answers (resolves to
 * false; the connection lives on). Past that the answer is written here, whole, with
 * `Connection: close`, and the request is read on behind it for a while (resolves to true).
 */
export async function respondEarly(
  exchange: RefusedExchange,
  error: WebhookError,
  limit: number,
): Promise<boolean> {
  const { req, res } = exchange
  const declared = Number(req.headers['content-length'] ?? 0)
  if (await discardRest(req, error, declared, limit)) return false
  exchange.takeOver?.()
  // A time-out of the application, say, has answered in the meantime.
  if (res.headersSent) return true
  const body = JSON.stringify(error)
  res.writeHead(error.status, {
    ...error.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  })
  // The answer is complete with this; the end, which closes the connection, waits for the sender.
  res.write(body)
  discardStream(req).then(() => {
    res.end()
    closeAfterAnswer(req)
  })
  return true
}
