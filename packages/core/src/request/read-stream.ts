import { startTimer } from '../async/timeout.ts'
import { Refusal } from '../reject/refusal.ts'
import { BodyBuffer } from './body-buffer.ts'
import type { DiscardableStream } from './discard.ts'

/** What of a Node stream is needed to read it: an IncomingMessage has it all. */
export interface ReadableBody extends DiscardableStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: (cause?: unknown) => void): unknown
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  off(event: 'end' | 'close' | 'error', listener: (cause?: unknown) => void): unknown
}

export interface ReadStreamOptions {
  /** The most that is read, in bytes. */
  readonly limit: number
  /** How long the whole body may take, in seconds; for ever unless stated. */
  readonly timeout?: number
  /** The Content-Length, where there is one. */
  readonly declared?: number
  /** Makes the buffer of a body that comes in several chunks; `Buffer.alloc`, where a Buffer is wanted. */
  readonly allocate?: (size: number) => Uint8Array
}

/**
 * Reads a body from a Node stream. Past the limit or the time the stream is left paused, to be discarded.
 *
 * @throws Refusal `body_too_large` (413), `body_timeout` (408), `body_incomplete` (400).
 */
export function readStream(
  stream: ReadableBody,
  { limit, timeout = Number.POSITIVE_INFINITY, declared, allocate }: ReadStreamOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = new BodyBuffer(limit, declared, allocate)
    const refuse = (refusal: Refusal) => {
      release()
      stream.pause()
      reject(refusal)
    }
    const onData = (chunk: Uint8Array) => {
      if (!body.add(chunk)) refuse(new Refusal('body_too_large', { limit }))
    }
    const onLate = () => {
      refuse(new Refusal('body_timeout', { received: body.length, seconds: timeout }))
    }
    const onEnd = () => {
      release()
      resolve(body.bytes())
    }
    const onCut = (cause?: unknown) => {
      release()
      reject(new Refusal('body_incomplete', { received: body.length }, cause))
    }
    // A request lives as long as its connection idles, and a listener keeps all that it can see.
    const release = () => {
      cancel()
      stream.off('data', onData)
      stream.off('end', onEnd)
      for (const event of CUT) stream.off(event, onCut)
    }
    // The timer of a busy process can be late: the bytes that arrived in the meantime are read first.
    let cancel = startTimer(timeout, () => {
      cancel = startTimer(0, onLate)
    })
    if (stream.destroyed && !stream.readableEnded) return onCut()
    stream.on('data', onData)
    stream.on('end', onEnd)
    for (const event of CUT) stream.on(event, onCut)
    // Something in front may have paused it.
    stream.resume()
  })
}

const CUT = ['error', 'close'] as const
