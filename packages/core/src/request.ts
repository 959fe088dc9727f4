import { BodyBuffer } from './body-buffer.ts'
import { LINGER } from './discard.ts'
import type { Incoming } from './receiver.ts'
import { Refusal } from './refusal.ts'

/** Describes a web-standard Request to a receiver. */
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
  const body = new BodyBuffer(limit, Number(request.headers.get('content-length')))
  let whole: boolean
  try {
    whole = await read(request, (chunk) => body.add(chunk))
  } catch (cause) {
    throw new Refusal('body_incomplete', { received: body.length }, cause)
  }
  if (whole) return body.bytes()
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
    let left = LINGER.bytes
    const discard = ({ length }: Uint8Array) => {
      left -= length
      return left >= 0
    }
    // What fails is a sender who is gone, or the time that is up: either way there is nothing more to read.
    read(request, discard, late)
      .catch(() => false)
      .then((whole) => {
        clearTimeout(timer)
        resolve(whole)
      })
  })
}

/** Whether the body came to its end before `take` wanted no more. */
async function read(
  request: Request,
  take: (chunk: Uint8Array) => boolean,
  start?: (release: () => void) => void,
): Promise<boolean> {
  const reader = request.body?.getReader()
  // Not reader.cancel(): on Node that destroys the connection, and the answer with it.
  start?.(() => reader?.releaseLock())
  try {
    while (reader) {
      const { done, value } = await reader.read()
      if (done) break
      if (!take(value)) return false
    }
    return true
  } finally {
    reader?.releaseLock()
  }
}
