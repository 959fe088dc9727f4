import type { QuarantineRecord, Reason, SecretFingerprint } from '@webhook-receiver/core'
import {
  type Capture,
  type Header,
  isHeader,
  isTarget,
  parseObject,
  readCapture,
  writeCapture,
} from './capture.ts'

/** A kept request: a capture, and the reason for the rejection. */
export interface KeptRequest extends Capture {
  /** `undefined` for a capture that no quarantine wrote. */
  readonly rejected: RejectedBecause | undefined
}

interface RejectedBecause {
  readonly reason: Reason
  readonly status: number
  /** Whether the signature was valid. */
  readonly authentic: boolean
  /** The sender's address; `undefined` if it is not known. */
  readonly address: string | undefined
  /** The secrets that were tried. */
  readonly secrets: readonly SecretFingerprint[]
}

/** Headers that may hold a credential and that no verification needs. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie']

/** The text of the file of a record. It holds no secret, and no credential of a header. */
export function writeKept(record: QuarantineRecord): string {
  const { at, method, headers, rawBody, remote, reason, status, authentic, secrets } = record
  const { url: target, address } = remote
  const capture: Capture = {
    receivedAt: at,
    method,
    target: isTarget(target) ? target : '/',
    httpVersion: '1.1',
    headers: headers.filter(isKept),
    body: rawBody,
  }
  return writeCapture(capture, { rejected: { reason, status, authentic, address, secrets } })
}

/**
 * Reads the text of a kept request, or of any capture.
 *
 * @throws CaptureError that says what is wrong with it.
 */
export function readKept(text: string): KeptRequest {
  const { rejected } = parseObject(text)
  // Written by `writeKept`; where another program has written something else, only what is shown is wrong.
  const because = typeof rejected === 'object' && rejected !== null ? rejected : undefined
  return { ...readCapture(text), rejected: because as RejectedBecause | undefined }
}

/** The pseudo-headers of HTTP/2 are no headers of a capture, nor are values that a cloud has decoded. */
function isKept(header: Header): boolean {
  return isHeader(header) && !CREDENTIALS.includes(header[0].toLowerCase())
}
