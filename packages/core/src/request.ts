import { LINGER } from './discard.ts'
import type { Incoming } from './receiver.ts'
import { Refusal } from './refusal.ts'

/**
 * Describes a web-standard Request to a receiver. A file of its own, since receivers on Node do not
 * need it.
 */
export async function receiveRequest<Context, Result>(
  receive: (incoming: Incoming<Context>) => Promise<Result>,
  request: Request,
  context: Context,
): Promise<Result> {
  const { method, headers, url } = request
  try {
    return await receive({
      method,
      header: (name) => headers.get(name),
      readBody: (limit) => readBody(request, limit),
      context,
      remote: () => ({ url, userAgent: headers.get('user-agent') ?? undefined }),
    })
  } catch (error) {
    await discardBody(request)
    throw error
  }
}

/**
 * Reads the body of a web-standard Request, counting as it comes: a declared length proves nothing.
 *
 * @throws Refusal `body_already_read` (500), `body_too_large` (413), `body_incomplete` (400).
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new Refusal('body_already_read', { by: 'before the receiver got it', advice: ADVICE })
  }
  const chunks: Uint8Array[] = []
  let received = 0
  let whole: boolean
  try {
    whole = await read(request, limit, (chunk) => {
      received += chunk.length
      chunks.push(chunk)
    })
  } catch (cause) {
    throw new Refusal('body_incomplete', { received }, cause)
  }
  if (whole) return joined(chunks, received)
  throw new Refusal('body_too_large', { limit })
}

const ADVICE = 'Give the receiver the Request first, or a clone made before: request.clone().'

/**
 * Reads on in a refused request and throws away what comes, within 12 MiB and 2 s: many clients do not
 * look at an answer before they have sent everything. Tells whether the body came to its end; never throws.
 */
export async function discardBody(request: Request): Promise<boolean> {
  if (request.body?.locked) return false
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = (release: () => void) => {
      timer = setTimeout(() => {
        resolve(false)
        try {
          release()
        } catch {
          // workerd does not release a reader that waits: there it is locked until the request is over.
        }
      }, LINGER.milliseconds)
    }
    // What fails is a sender who is gone, or the time that is up: either way there is nothing more to read.
    read(request, LINGER.bytes, undefined, late)
      .catch(() => false)
      .then((whole) => {
        clearTimeout(timer)
        resolve(whole)
      })
  })
}

/** Whether the body came to its end within `limit` bytes. */
async function read(
  request: Request,
  limit: number,
  take?: (chunk: Uint8Array) => void,
  start?: (release: () => void) => void,
): Promise<boolean> {
  const reader = request.body?.getReader()
  // Not reader.cancel(): on Node that destroys the connection, and the answer with it.
  start?.(() => reader?.releaseLock())
  try {
    for (let left = limit; reader; ) {
      const { done, value } = await reader.read()
      if (done) break
      left -= value.length
      if (left < 0) return false
      take?.(value)
    }
    return true
  } finally {
    reader?.releaseLock()
  }
}

/** The chunks of a body as one. */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
