import { rejection } from '../reject/rejection.ts'
import { signatureMissing, wrongMethod } from '../verify/other-service.ts'
import type { RequestHead, SignedHead } from '../verify/scheme.ts'

/** The headers of a delivery (contract, section 5). */
export const CONTRACT_HEADERS = {
  id: 'X-Webhook-Id',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
} as const

/** In lower case, as requests are asked for them. */
export const ID = 'x-webhook-id'
export const TIMESTAMP = 'x-webhook-timestamp'
export const SIGNATURE = 'x-webhook-signature'

/** What the headers of an acceptable request say. */
export interface ContractHead extends SignedHead {
  readonly timestamp: string
  /** The 64 hexadecimal digits of X-Webhook-Signature. */
  readonly signature: string
}

const FORM = /^sha256=[0-9a-f]{64}$/

/**
 * Checks the method and the two headers that verification needs.
 *
 * @throws WebhookError 405 or 401.
 */
export function readHead(request: RequestHead): ContractHead {
  if (request.method !== 'POST') throw wrongMethod(request, [CONTRACT_HEADERS.signature])
  const value = request.header(SIGNATURE)
  if (!value) throw signatureMissing(request, [CONTRACT_HEADERS.signature])
  if (!FORM.test(value)) {
    throw rejection('signature_malformed', {
      header: CONTRACT_HEADERS.signature,
      expected: '"sha256=" and 64 lowercase hexadecimal digits',
      fault: faultOf(value),
    })
  }
  const timestamp = request.header(TIMESTAMP)
  if (!timestamp) throw rejection('timestamp_missing', { header: CONTRACT_HEADERS.timestamp })
  return { signature: value.slice(7), timestamp }
}

/** Says what is wrong with a signature without repeating it. */
function faultOf(value: string): string {
  // Node joins headers by ', ', and AWS by ','.
  if (value.includes(',')) return 'has several values: let no proxy add it again'
  if (!value.startsWith('sha256=')) return 'does not begin with "sha256="'
  const digits = value.slice('sha256='.length)
  if (digits.length !== 64) return `has ${digits.length} characters after the "="`
  return /^[0-9a-f]+$/i.test(digits)
    ? 'has digits in upper case'
    : 'has other characters than hexadecimal digits'
}
