import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SchemeResponse } from '@webhook-receiver/core'
import {
  closeAfterResponse,
  discardRest,
  discardStream,
  isWebhookError,
  printError,
  responseBody,
} from '@webhook-receiver/core/adapter'

interface RejectedExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly takeOver?: (() => void) | undefined
}

/**
 * Makes sure that a rejection is seen, if the error is one. Most clients send their whole body before they look at a response,
 * and report a broken pipe when the connection is closed before that.
 *
 * So the rest of a body within `limit` is read and thrown away, and the adapter responds (resolves to
 * false; the connection lives on). Past that the response is written here, whole, with
 * `Connection: close`, and the request is read on behind it for a while (resolves to true).
 */
export async function respondedEarly(
  exchange: RejectedExchange,
  error: unknown,
  limit: number,
): Promise<boolean> {
  if (!isWebhookError(error)) return false
  const { req, res } = exchange
  const declared = Number(req.headers['content-length'] ?? 0)
  if (await discardRest(req, error, declared, limit)) return false
  exchange.takeOver?.()
  // A timeout of the application, say, has responded in the meantime.
  if (res.headersSent) return true
  const body = responseBody(error)
  const isWritten = writing(res, () => {
    removeBodyHeaders(res)
    // HTTP/2 has no such header (RFC 9113, section 8.2.2); there, `closeAfterResponse` ends the stream.
    const { Connection, ...headers } = error.headers
    res.writeHead(error.status, {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(req.httpVersionMajor < 2 && { Connection: 'close' }),
    })
    // The response is complete with this; the end, which closes the connection, waits for the sender.
    res.write(body)
  })
  if (!isWritten) return true
  discardStream(req).then(() =>
    writing(res, () => {
      res.end()
      closeAfterResponse(req)
    }),
  )
  return true
}

/**
 * Sends a response, unless something else has responded in the meantime. Without writeHead: headers that others have set are
 * kept, and an access log sees the status.
 */
export function respond(res: ServerResponse, { status, headers, body = '' }: SchemeResponse): void {
  if (res.headersSent) return
  // Not by `writing`, which takes a function: one would be made for each response.
  try {
    removeBodyHeaders(res)
    if (headers) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    // RFC 9110, section 8.6: not beside a 204.
    if (status !== 204) res.setHeader('Content-Length', Buffer.byteLength(body))
    res.statusCode = status
    res.end(body)
  } catch (error) {
    breakOff(res, error)
  }
}

/** Writes a response, and tells whether that went well. */
export function writing(res: ServerResponse, write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    breakOff(res, error)
    return false
  }
}

/** What throws may be a method that another package has replaced. Nobody waits for the response, so that the error would end the process. */
function breakOff(res: ServerResponse, error: unknown): void {
  printError('[webhook-receiver] The response could not be written, and was broken off.', error)
  res.destroy()
}

/** Something in front may have announced a body of its own, and the sender would wait for it. */
function removeBodyHeaders(res: ServerResponse): void {
  for (const name of BODY_HEADERS) if (res.hasHeader(name)) res.removeHeader(name)
}

const BODY_HEADERS = ['Content-Encoding', 'Content-Length', 'Content-Range', 'Transfer-Encoding']
