import { withTimeout } from '../async/timeout.ts'
import { rejection, rejectionOf } from '../reject/rejection.ts'
import { closesConnection, type WebhookError } from '../reject/webhook-error.ts'
import { describeKind } from '../validate/describe.ts'
import { BodyBuffer } from './body-buffer.ts'
import { DISCARD_BOUNDS } from './discard.ts'
import type { Incoming } from './incoming.ts'
import type { Reading } from './reading.ts'
import { withoutOrigin } from './target.ts'

/**
 * Describes a web-standard Request to a receiver.
 *
 * @throws TypeError for anything else.
 */
export async function receiveRequest<Context, Result>(
  receiver: { receive(incoming: Incoming<Context>): Promise<Result> },
  request: Request,
  context: Context,
): Promise<Result> {
  if (!isRequest(request)) throw withoutRequest('receiveRequest')
  const { method, headers, url } = request
  try {
    return await receiver.receive({
      method,
      header: (name) => headers.get(name),
      readBody: (reading) => readBody(request, reading),
      context,
      remote: () => ({
        url: withoutOrigin(url),
        userAgent: headers.get('user-agent') ?? undefined,
      }),
    })
  } catch (error) {
    // A body that was too slow is not waited for once more.
    if (!closesConnection(error)) await discardBody(request)
    throw error
  }
}

export function withoutRequest(name: string): TypeError {
  return new TypeError(
    `${name} of @webhook-receiver/core got no web-standard Request: use the package for your framework, such as @webhook-receiver/express.`,
  )
}

/** Whether a value has the `headers` of a Request. */
export function isRequest(value: unknown): value is Request {
  return (
    typeof value === 'object' &&
    value !== null &&
    'headers' in value &&
    typeof Object(value.headers).get === 'function'
  )
}

/**
 * Reads the body of a web-standard Request, counting as it comes: a declared length proves nothing.
 *
 * @throws WebhookError `body_already_read` (500), `body_too_large` (413), `body_timeout` (408), `body_budget_full` (503),
 * `body_incomplete` (400).
 */
export async function readBody(request: Request, reading: Reading): Promise<Uint8Array> {
  const { limit, timeout } = reading
  const body = new BodyBuffer(reading)
  const late = () => rejection('body_timeout', { received: body.length, seconds: timeout })
  try {
    const { body: stream, bodyUsed } = request
    if (bodyUsed || stream?.locked) throw alreadyRead('')
    if (stream === null) return body.take()
    // That of a Request of node-fetch is a stream of Node, and whatwg-fetch has none.
    if (typeof stream?.getReader !== 'function') {
      throw alreadyRead(': it is no ReadableStream', "Pass the runtime's Request.")
    }
    const inTime = (read: Promise<boolean>) => unlessFull(reading, withTimeout(timeout, read, late))
    if (await drained(stream, (chunk) => body.add(bytesOf(chunk)), inTime)) return body.take()
  } catch (cause) {
    const received = body.length
    throw rejectionOf(cause, () =>
      isTooLarge(cause)
        ? rejection('body_too_large', { received, limit }, { cause })
        : rejection('body_incomplete', { received }, { cause }),
    )
  }
  throw rejection('body_too_large', { limit })
}

/** Settles as `work` does, or rejects when the body has to give way. */
function unlessFull<Value>(reading: Reading, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    reading.begin(reject)
    work.then(
      (value) => {
        reading.end()
        resolve(value)
      },
      (error: unknown) => {
        reading.end()
        reject(error)
      },
    )
  })
}

/**
 * Reads on in a rejected request and throws away what comes, within 12 MiB and 2 s: many clients do not
 * look at a response before they have sent everything. Tells whether the body came to its end; never throws.
 */
export async function discardBody(request: Request): Promise<boolean> {
  let stream: Request['body']
  try {
    stream = request.body
  } catch {
    // @hono/node-server makes its Request only now, and fails where the URL has credentials.
    return false
  }
  if (!stream) return true
  if (stream.locked) return false
  let left = DISCARD_BOUNDS.bytes
  const discard = (chunk: unknown) => {
    left -= bytesOf(chunk).length
    return left >= 0
  }
  try {
    const seconds = DISCARD_BOUNDS.milliseconds / 1000
    return await drained(stream, discard, (read) => withTimeout(seconds, read, () => undefined))
  } catch {
    // A sender who is gone, or the time that is up: either way there is nothing more to read.
    return false
  }
}

/** Whether the body came to its end before `take` wanted no more. `bounded` may reject while it is read. */
async function drained(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => boolean,
  bounded: (read: Promise<boolean>) => Promise<boolean>,
): Promise<boolean> {
  const reader = stream.getReader()
  try {
    return await bounded(toEnd(reader, take))
  } finally {
    // Not reader.cancel(): on Node that destroys the connection, and the response with it.
    try {
      reader.releaseLock()
    } catch {
      // workerd does not release a reader that waits: there it is locked until the request is over.
    }
  }
}

async function toEnd(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  take: (chunk: Uint8Array) => boolean,
): Promise<boolean> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    if (!take(value)) return false
  }
}

/** The types promise bytes, but a stream of the application's own may bring text, or anything. */
function bytesOf(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) {
    if (chunk instanceof Uint8Array) return chunk
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
  if (isBuffer(chunk)) return new Uint8Array(chunk)
  throw alreadyRead(`: its stream contains ${describeKind(chunk)} instead of bytes`)
}

/** A server with a limit of its own breaks the stream off, as adapter-node of SvelteKit does at 512 KiB. */
function isTooLarge(cause: unknown): boolean {
  try {
    const { status, statusCode } = cause as { status?: unknown; statusCode?: unknown }
    return status === 413 || statusCode === 413
  } catch {
    // Not an object, or one that throws when it is looked at.
    return false
  }
}

function isBuffer(chunk: unknown): chunk is ArrayBuffer {
  try {
    return chunk instanceof ArrayBuffer
  } catch {
    // A Proxy that throws when it is looked at.
    return false
  }
}

function alreadyRead(
  how: string,
  advice = 'Pass it the Request first, or request.clone().',
): WebhookError {
  return rejection('body_already_read', { by: `before the receiver got it${how}`, advice })
}
