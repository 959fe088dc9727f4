import type { ServerResponse } from 'node:http'
import type { WebhookError } from '@webhook-receiver/core/adapter'

// All without writeHead: what has set headers before is kept, and an access log sees the status.

/** Answers with the parts of an error that the sender may see. */
export function refuse(res: ServerResponse, error: WebhookError): void {
  const body = JSON.stringify(error)
  removeBodyHeaders(res)
  res.setHeader('Content-Type', 'application/json')
  res.setHeader('Content-Length', Buffer.byteLength(body))
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value)
  res.statusCode = error.status
  res.end(body)
}

/** Answers without a body. */
export function answer(res: ServerResponse, status: number): void {
  removeBodyHeaders(res)
  // RFC 9110, section 8.6: not beside a 204.
  if (status !== 204) res.setHeader('Content-Length', 0)
  res.statusCode = status
  res.end()
}

/** Ends the connection of an answer that a handler has begun and will not finish. */
export function cutShort(res: ServerResponse): void {
  if (!res.writableFinished) res.destroy()
}

/** A handler may have announced a body before it failed, and the sender would wait for it. */
function removeBodyHeaders(res: ServerResponse): void {
  for (const name of BODY_HEADERS) if (res.hasHeader(name)) res.removeHeader(name)
}

const BODY_HEADERS = ['Content-Encoding', 'Content-Length', 'Content-Range', 'Transfer-Encoding']
