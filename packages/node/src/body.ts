import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookError } from '@webhook-receiver/core'
import {
  type BodyBuffer,
  isBytes,
  type Reading,
  readStream,
  rejection,
} from '@webhook-receiver/core/adapter'

/**
 * Keeps the bytes that a parser reads, as `req.rawBody`, for a receiver that is mounted after it.
 *
 * @example
 * app.use(express.json({ verify: captureRawBody }))
 */
export function captureRawBody(req: IncomingMessage, _res: unknown, bytes: Buffer): void {
  Object.assign(req, { rawBody: bytes })
}

/**
 * The body's bytes where something in front of the receiver has read and kept them. Text and parsed
 * values do not count: they are not what was signed.
 */
export function findRawBody(holder: object): Uint8Array | undefined {
  const { verification, rawBody, body }: Holder = holder
  const verified = verification?.rawBody
  if (isBytes(verified)) return verified
  if (isBytes(rawBody)) return rawBody
  return isBytes(body) ? body : undefined
}

/** Where a parser, a cloud runtime or another receiver may have kept the bytes. */
interface Holder {
  readonly verification?: { readonly rawBody?: unknown } | null
  readonly rawBody?: unknown
  readonly body?: unknown
}

const PARSER = /json|urlencoded|text|raw|body|parse|multi|multer|form|busboy|upload/i

/** The receiver's own fault: something took the body and kept no bytes. */
export function alreadyRead(
  res: Pick<ServerResponse, 'writableEnded'>,
  middleware: Iterable<string> | undefined,
  advice: string,
): WebhookError {
  const suspects = [...new Set(middleware)].filter((name) => PARSER.test(name))
  if (res.writableEnded && suspects.length === 0) return rejection('body_already_read', RESPONDED)
  const by =
    suspects.length > 0
      ? `by a middleware, probably ${suspects.join(' or ')}`
      : 'before the receiver got it'
  return rejection('body_already_read', { by, advice })
}

const RESPONDED = {
  by: 'by nobody',
  advice: 'Something in front, such as a timeout, has responded, and Node threw it away.',
}

/**
 * Reads the body of an IncomingMessage within the bounds of `reading`. Past them the stream is left paused, to be read on or closed with the
 * rejection.
 *
 * raw-body is the judge of this in a test, and not used at runtime: docs/decisions/0004.
 *
 * @throws WebhookError `body_already_read` (500), `body_too_large` (413), `body_timeout` (408), `body_incomplete` (400).
 */
export function readBody(req: IncomingMessage, reading: Reading): Promise<BodyBuffer> {
  return readStream(req, reading, Buffer.allocUnsafeSlow)
}
