import { startTimer } from '../async/timeout.ts'
import { rejection } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'
import { BodyBuffer } from './body-buffer.ts'
import type { DiscardableStream } from './discard.ts'
import type { Reading } from './reading.ts'

/** What of a Node stream is needed to read it: an IncomingMessage has it all. */
export interface ReadableBody extends DiscardableStream {
  /** Set by `setEncoding()`: the stream brings text. */
  readonly readableEncoding?: string | null
  /** `false` if something has paused it, or listens for `readable`: nothing is brought then. */
  readonly readableFlowing?: boolean | null
  /** Whether the sender broke it off: on HTTP/2 it comes to its end then, too. */
  readonly aborted?: boolean
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: (cause?: unknown) => void): unknown
  off(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  off(event: 'end' | 'close' | 'error', listener: (cause?: unknown) => void): unknown
}

/**
 * Reads a body from a Node stream. Past the limit or the time the stream is left paused, to be discarded. `allocate` makes the buffer of a
 * body that comes in several chunks: `Buffer.allocUnsafeSlow`, where a Buffer is wanted.
 *
 * @throws WebhookError `body_already_read` (500) if it brings text, `body_too_large` (413), `body_timeout` (408),
 * `body_budget_full` (503), `body_incomplete` (400).
 */
export function readStream(
  stream: ReadableBody,
  reading: Reading,
  allocate?: (size: number) => Uint8Array,
): Promise<BodyBuffer> {
  return new Promise((resolve, reject) => {
    const { limit, timeout } = reading
    const body = new BodyBuffer(reading, allocate)
    let begun = false
    const stop = (error: WebhookError) => {
      release()
      stream.pause()
      reject(error)
    }
    const onData = (chunk: Uint8Array | string) => {
      // Whoever holds the stream can ask for text at any time, and text is not what was signed.
      if (typeof chunk === 'string') stop(rejection('body_already_read', AS_TEXT))
      else if (!body.add(chunk)) stop(rejection('body_too_large', { limit }))
    }
    const onEnd = () => {
      if (stream.aborted) return onCut()
      release()
      resolve(body)
    }
    const onCut = (cause?: unknown) => {
      release()
      const received = body.length
      reject(heldOr(() => rejection('body_incomplete', { received }, { cause })))
    }
    // What is not brought here has not failed to arrive.
    const heldOr = (otherwise: () => WebhookError) =>
      begun && stream.readableFlowing === false ? rejection('body_already_read', HELD) : otherwise()
    // A request lives as long as its connection idles, and a listener keeps all that it can see.
    const release = () => {
      cancel()
      reading.end()
      stream.off('data', onData)
      stream.off('end', onEnd)
      for (const event of CUT) stream.off(event, onCut)
    }
    // The timer of a busy process can be late: the bytes that arrived in the meantime are read first.
    let cancel = startTimer(timeout, () => {
      cancel = startTimer(0, () =>
        stop(heldOr(() => rejection('body_timeout', { received: body.length, seconds: timeout }))),
      )
    })
    if (stream.readableEncoding) return stop(rejection('body_already_read', AS_TEXT))
    if (stream.destroyed && !stream.readableEnded) return onCut()
    reading.begin(stop)
    stream.on('data', onData)
    stream.on('end', onEnd)
    for (const event of CUT) stream.on(event, onCut)
    // Something in front may have paused it.
    stream.resume()
    begun = true
  })
}

const AS_TEXT = {
  by: 'as text, because something called setEncoding() on the request',
  advice: 'Mount the receiver before it.',
}

const HELD = {
  by: 'by something in front that has paused the request, or listens for `readable`',
  advice: 'Mount the receiver before it.',
}

const CUT = ['error', 'close'] as const
