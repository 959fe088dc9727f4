import { createHash } from 'node:crypto'
import type { QuarantineRecord } from '@webhook-receiver/core'
import { type Capture, isTarget, parseObject, readCapture, WIDE, writeCapture } from './capture.ts'

/** A kept request: a capture, and why it was rejected. */
export interface KeptRequest extends Capture {
  readonly endpoint: string | undefined
  /** Whether the receiver names a tenant for each delivery. */
  readonly perTenant: boolean
  readonly rejected: Pick<QuarantineRecord, (typeof SHOWN)[number]>
}

const SHOWN = ['reason', 'status', 'signatureValid', 'address', 'secrets'] as const

/** The name of the file of a kept request. */
export const NAME: RegExp = /^[0-9a-f]{64}\.json$/

/**
 * The SHA-256 of what a valid signature proves, the body and its time, and that of all the rest, 32 digits of each. So neither an
 * older copy of a delivery, nor a forged one with its body, takes its place. Where nothing is proven, the rest counts as well.
 */
export function nameOf(record: QuarantineRecord): string {
  const { endpoint = '', method, target = '', headers, rawBody, signedAt, signatureValid } = record
  const rest = digestOf([method, target, ...headers.flat()])
  const proven = digestOf([endpoint, signatureValid ? String(signedAt) : rest, rawBody])
  return `${provenIn(proven)}${rest.slice(32)}.json`
}

/** The part of a file's name that all requests share which a valid signature makes equal: whoever has one of them can vary the rest. */
export function provenIn(name: string): string {
  return name.slice(0, 32)
}

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) {
    // With its length, so that nothing can move from one part to the next.
    hash.update(`${Buffer.byteLength(part)}:`).update(part)
  }
  return hash.digest('hex')
}

/** The text of the file. It has no secret. */
export function writeKept(record: QuarantineRecord): string {
  const { at, endpoint, perTenant, method, target, headers, rawBody } = record
  const capture: Capture = {
    receivedAt: at,
    method,
    target: isTarget(target) ? target : '/',
    httpVersion: '1.1',
    // An event of a cloud may have decoded a value.
    headers: headers.map(([name, value]) => [name, WIDE.test(value) ? utf8(value) : value]),
    body: rawBody,
  }
  const rejected = Object.fromEntries(SHOWN.map((name) => [name, record[name]]))
  return writeCapture(capture, { endpoint, ...(perTenant && { perTenant }), rejected })
}

/** The bytes of a text, each as a character. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** @throws CaptureError that says what is wrong with the text. */
export function readKept(text: string): KeptRequest {
  const capture = readCapture(text)
  const { endpoint, perTenant = false, rejected } = parseObject(text)
  // Written by `writeKept`; in a file that somebody has edited, only what is shown is wrong.
  return { ...capture, endpoint, perTenant, rejected: Object(rejected) } as KeptRequest
}
