import type { IncomingMessage } from 'node:http'
import { Refusal } from '@webhook-receiver/core/adapter'

/**
 * Keeps the bytes that a parser reads, as `req.rawBody`, for a receiver that is mounted behind it.
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
export function keptBody(holder: object): Uint8Array | undefined {
  const verification = member(holder, 'verification')
  return [
    typeof verification === 'object' && verification !== null && member(verification, 'rawBody'),
    member(holder, 'rawBody'),
    member(holder, 'body'),
  ].find((body) => body instanceof Uint8Array)
}

function member(of: object, name: string): unknown {
  return name in of ? Reflect.get(of, name) : undefined
}

const PARSER = /json|urlencoded|text|raw|body|parse|multi|multer|form|busboy|upload/i

/** The receiver's own fault: something took the body and kept no bytes. */
export function alreadyRead(middleware: Iterable<string>, advice: string): Refusal {
  const suspects = [...new Set(middleware)].filter((name) => PARSER.test(name))
  const by =
    suspects.length > 0
      ? `by one of the middlewares mounted before the receiver, probably ${suspects.join(' or ')}`
      : 'before the receiver got it'
  return new Refusal('body_already_read', { by, advice })
}
