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
  if (req.destroyed && !req.readableEnded) {
    return Promise.reject(new Refusal('body_incomplete', {}))
  }
  return isBounded(req, limit) ? collected(req) : counted(req, limit)
}

/** Whether Node's parser counts for us: it hands over no more than was declared, and ends for no less. */
function isBounded(req: IncomingMessage, limit: number): boolean {
  return (
    Number(req.headers['content-length']) <= limit &&
    // Where it comes beside a length, which Node lets through with `insecureHTTPParser`, the length says nothing.
    req.headers['transfer-encoding'] === undefined &&
    req.readableFlowing === null &&
    req.readableEncoding === null
  )
}

/** What raw-body does besides, to guard itself against streams of every kind, costs as much as a verdict. */
function collected(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const onData = (chunk: Buffer) => chunks.push(chunk)
    const onEnd = () => {
      release()
      resolve(Buffer.concat(chunks))
    }
    const onCut = (cause?: unknown) => {
      release()
      reject(new Refusal('body_incomplete', {}, cause))
    }
    // A request lives as long as its connection idles, and a listener keeps all that it can see.
    const release = () =>
      req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
    req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  })
}

/** For a body without a length, or over the limit, or that something else has begun to read. */
function counted(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // raw-body does not settle for a request that is destroyed without being aborted.
    const onClose = () => reject(new Refusal('body_incomplete', {}))
    req.on('close', onClose)
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
