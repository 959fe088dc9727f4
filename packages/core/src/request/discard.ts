import { closesConnection, type WebhookError } from '../reject/webhook-error.ts'

/** What of a Node stream is needed to throw away what it brings: an IncomingMessage has it all. */
export interface DiscardableStream {
  readonly readableEnded: boolean
  readonly destroyed: boolean
  /** Whether the whole body has arrived, read or not. */
  readonly complete?: boolean
  on(event: 'data', listener: (chunk: { readonly length: number }) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
  off(event: 'data', listener: (chunk: { readonly length: number }) => void): unknown
  off(event: 'end' | 'close' | 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** The most that is thrown away, and the longest that is waited for it. */
export interface DiscardBounds {
  readonly bytes: number
  readonly milliseconds: number
}

/**
 * How much, and for how long, a rejected request is read on where nothing else bounds it, in bytes and
 * in milliseconds. Twelve mebibytes, because V8 keeps up to 32 of what was read as garbage.
 */
export const DISCARD_BOUNDS: DiscardBounds = { bytes: 12_582_912, milliseconds: 2000 }

/** How long the rest of a body within the limit is waited for, in milliseconds. */
const REST_MILLISECONDS = 1000

/**
 * Throws away the rest of a rejected body where it is within `limit`, and tells whether it came to its end within a
 * second: then the connection can serve on. `declared` is the Content-Length, 0 where there is none. Where the response
 * closes the connection, nothing is waited for.
 */
export async function discardRest(
  stream: DiscardableStream,
  error: WebhookError,
  declared: number,
  limit: number,
): Promise<boolean> {
  if (declared > limit || closesConnection(error)) return false
  if (stream.complete) {
    // Everything has arrived, so there is nothing to wait for.
    stream.resume()
    return true
  }
  const bytes = Math.min(limit, DISCARD_BOUNDS.bytes)
  return discardStream(stream, { bytes, milliseconds: REST_MILLISECONDS })
}

/** Throws away what comes, and tells whether the stream came to its end within the bounds. */
export function discardStream(
  stream: DiscardableStream,
  { bytes, milliseconds }: DiscardBounds = DISCARD_BOUNDS,
): Promise<boolean> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve(true)
  return new Promise((resolve) => {
    let left = bytes
    const timer = setTimeout(() => settle(false), milliseconds)
    const onData = (chunk: { readonly length: number }) => {
      left -= chunk.length
      if (left < 0) settle(false)
    }
    const onEnd = () => settle(true)
    const settle = (ended: boolean) => {
      clearTimeout(timer)
      stream.off('data', onData)
      for (const event of ENDS) stream.off(event, onEnd)
      if (!ended) stream.pause()
      resolve(ended)
    }
    stream.on('data', onData)
    for (const event of ENDS) stream.on(event, onEnd)
    stream.resume()
  })
}

const ENDS = ['end', 'close', 'error'] as const
