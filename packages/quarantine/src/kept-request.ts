import { createHash } from 'node:crypto'
import type { QuarantineRecord } from '@webhook-receiver/core'
import { type Capture, isTarget, parseObject, readCapture, WIDE, writeCapture } from './capture.ts'

/** A kept request: a capture, and why it was rejected. */
export interface KeptRequest extends Capture {
  readonly endpoint: string | undefined
  readonly rejected: Pick<QuarantineRecord, (typeof SHOWN)[number]>
}

const SHOWN = ['reason', 'status', 'signatureValid', 'address', 'secrets'] as const

/** The name of the file of a kept request. */
export const NAME: RegExp = /^[0-9a-f]{64}\.json$/

/**
 * The same for copies of one request, and for nothing else: neither an older copy of a delivery, nor a forged one with its body,
 * may take its place. A valid signature proves the body and its time. Whoever has a copy can vary the rest, so that does not count.
 * Where no time is proven, the rest may be another id, and decides on the last digit: a copy has at most 16 places.
 */
export function nameOf(record: QuarantineRecord): string {
  const { endpoint = '', method, target = '', headers, rawBody, signedAt, signatureValid } = record
  const rest = [method, target, ...headers.flat()]
  if (!signatureValid) return `${digestOf([endpoint, ...rest, rawBody])}.json`
  const digest = digestOf([endpoint, String(signedAt), rawBody])
  if (signedAt !== undefined) return `${digest}.json`
  return `${digest.slice(0, -1)}${digestOf(rest).slice(-1)}.json`
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
  const { at, endpoint, method, target, headers, rawBody } = record
  const capture: Capture = {
    receivedAt: at,
    method,
    target: isTarget(target) ? target : '/',
    httpVersion: '1.1',
    // An event of a cloud may have decoded a value.
    headers: headers.filter(([, value]) => !WIDE.test(value)),
    body: rawBody,
  }
  const rejected = Object.fromEntries(SHOWN.map((name) => [name, record[name]]))
  return writeCapture(capture, { endpoint, rejected })
}

/** @throws CaptureError that says what is wrong with the text. */
export function readKept(text: string): KeptRequest {
  const capture = readCapture(text)
  const { endpoint, rejected } = parseObject(text)
  // Written by `writeKept`; in a file that somebody has edited, only what is shown is wrong.
  return { ...capture, endpoint, rejected: Object(rejected) } as KeptRequest
}
