import type { IncomingMessage } from 'node:http'
import { Refusal, readStream } from '@webhook-receiver/core/adapter'

/**
 * Reads the body of an IncomingMessage, at most `limit` bytes of it within `timeout` seconds. Past that the stream
 * is left paused, for the refusal to read on or to close.
 *
 * Not by raw-body: it keeps a list of the chunks, and a million chunks of one byte took 400 MiB there.
 *
 * @throws Refusal `body_already_read` (500), `body_too_large` (413), `body_timeout` (408), `body_incomplete` (400).
 */
export function readBody(
  req: IncomingMessage,
  limit: number,
  timeout: number,
): Promise<Uint8Array> {
  if (req.readableEncoding) return rejectDecodedBody(req, limit)
  const declared = Number(req.headers['content-length'])
  return readStream(req, { limit, timeout, declared, allocate: Buffer.alloc })
}

/**
 * Something called setEncoding(), so that the bytes are gone. raw-body knows that state in every version of
 * Node's streams, and refuses before it reads a chunk. It is loaded here, because this is rare. If that fails, the answer is the same.
 */
async function rejectDecodedBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  try {
    const { default: rawBody } = await import('raw-body')
    return await rawBody(req, { limit })
  } catch {
    throw new Refusal('body_already_read', {
      by: 'as text, because something called setEncoding() on the request',
      advice: 'Mount the receiver before it.',
    })
  }
}
