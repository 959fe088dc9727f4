import type { IncomingMessage } from 'node:http'
import { Refusal } from '@webhook-receiver/core/adapter'
import rawBody, { type RawBodyError } from 'raw-body'

/**
 * Reads the body of an IncomingMessage, at most `limit` bytes of it. Past that the stream is left
 * paused, for the refusal to read on or to close.
 *
 * @throws Refusal `body_already_read` (500), `body_too_large` (413), `body_incomplete` (400).
 */
export function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // raw-body does not settle for a request that is destroyed without being aborted.
    const onClose = () => reject(new Refusal('body_incomplete', {}))
    if (req.destroyed && !req.readableEnded) return onClose()
    req.once('close', onClose)
    const length = req.headers['content-length'] ?? null
    rawBody(req, { limit, length }, (error, body) => {
      req.off('close', onClose)
      if (error) reject(translated(error, limit))
      else resolve(body)
    })
  })
}

function translated(error: RawBodyError, limit: number): Refusal {
  switch (error.type) {
    case 'entity.too.large':
      return new Refusal('body_too_large', { limit })
    case 'stream.encoding.set':
      return new Refusal('body_already_read', {
        by: 'as text, since something called setEncoding() on the request',
        advice: 'Mount the receiver before it.',
      })
    default:
      return new Refusal('body_incomplete', {}, error)
  }
}
