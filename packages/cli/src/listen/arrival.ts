import type { IncomingMessage } from 'node:http'
import type { Capture } from '../capture.ts'
import { codeOf } from '../failure.ts'
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
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk)
      length += chunk.length
      if (length > limit) return { unread: 'too large' }
    }
  } catch (error) {
    if (codeOf(error) === 'ECONNRESET') return { unread: 'incomplete' }
    throw error
  }
  return {
    capture: {
      receivedAt,
      method: req.method ?? '',
      target: req.url ?? '/',
      httpVersion: req.httpVersion,
      headers: paired(req.rawHeaders),
      body: Buffer.concat(chunks, length),
    },
  }
}
