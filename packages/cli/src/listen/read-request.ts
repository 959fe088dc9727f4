import type { IncomingMessage } from 'node:http'
import { Refusal, readStream } from '@webhook-receiver/core/adapter'
import { headerPairs } from '@webhook-receiver/emulator/request'
import type { Capture } from '../capture.ts'

/** The request, or why it could not be read. */
export type ReadResult =
  | { readonly capture: Capture }
  | { readonly failure: 'too large' | 'incomplete' }

/** Reads a request, at most `limit` bytes of its body. */
export async function readRequest(
  req: IncomingMessage,
  limit: number,
  receivedAt: number,
): Promise<ReadResult> {
  const declared = Number(req.headers['content-length'])
  try {
    const body = await readStream(req, { limit, declared, allocate: Buffer.alloc })
    return {
      capture: {
        receivedAt,
        method: req.method ?? '',
        target: req.url ?? '/',
        httpVersion: req.httpVersion,
        headers: headerPairs(req.rawHeaders),
        body,
      },
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { failure: error.reason === 'body_too_large' ? 'too large' : 'incomplete' }
  }
}
