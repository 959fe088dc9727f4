import type { IncomingMessage } from 'node:http'
import { Refusal, readStream } from '@webhook-receiver/core/adapter'
import type { Capture } from '../capture.ts'
import { paired } from '../header.ts'

/** What became of reading a request. */
export type Arrival =
  | { readonly capture: Capture }
  /** It cannot be kept byte for byte. */
  | { readonly unread: 'too large' | 'incomplete' }

/** Reads a request, at most `limit` bytes of its body. */
export async function readArrival(
  req: IncomingMessage,
  limit: number,
  receivedAt: number,
): Promise<Arrival> {
  const declared = Number(req.headers['content-length'])
  try {
    const body = await readStream(req, { limit, declared, allocate: Buffer.alloc })
    return {
      capture: {
        receivedAt,
        method: req.method ?? '',
        target: req.url ?? '/',
        httpVersion: req.httpVersion,
        headers: paired(req.rawHeaders),
        body,
      },
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { unread: error.reason === 'body_too_large' ? 'too large' : 'incomplete' }
  }
}
