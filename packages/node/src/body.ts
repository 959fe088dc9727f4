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
    const onClose = (cause?: unknown) => {
      if (!req.readableEnded) reject(new Refusal('body_incomplete', {}, cause))
    }
    if (req.destroyed) return onClose()
    req.on('close', onClose)
    if (isBounded(req, limit)) return collect(req.on('error', onClose), resolve)
    const length = req.headers['content-length'] ?? null
    rawBody(req, { limit, length }, (error, body) => {
      if (error) reject(translated(error, limit))
      else resolve(body)
    })
  })
}

/** Whether Node's parser counts for us: it hands over no more than was declared, and ends for no less. */
function isBounded(req: IncomingMessage, limit: number): boolean {
  return (
    Number(req.headers['content-length']) <= limit &&
    req.readableFlowing === null &&
    req.readableEncoding === null
  )
}

/** What raw-body does besides, to guard itself against streams of every kind, costs as much as a verdict. */
function collect(req: IncomingMessage, resolve: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => resolve(Buffer.concat(chunks)))
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
