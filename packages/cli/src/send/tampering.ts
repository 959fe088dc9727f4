import { randomBytes } from 'node:crypto'
import { signDelivery, type WireDelivery } from '@webhook-receiver/core/testing'
import { withHeader, withoutHeaders } from '../header.ts'
import type { OutgoingRequest } from '../send-request.ts'

/** What can be wrong with a delivery that a receiver should refuse. */
export const TAMPERINGS = [
  'body',
  'signature',
  'timestamp',
  'secret',
  'stale',
  'future',
  'unsigned',
] as const

export type Tampering = (typeof TAMPERINGS)[number]

/** How far from the clock, in milliseconds. */
const HOUR = 3_600_000

/** Signs a delivery, and tampers with it if requested. */
export async function signTampered(
  secret: string,
  delivery: WireDelivery,
  now: number,
  tampering: Tampering | undefined,
): Promise<Pick<OutgoingRequest, 'headers' | 'body'>> {
  const key = tampering === 'secret' ? `whsec_${randomBytes(24).toString('base64url')}` : secret
  const at = tampering === 'stale' ? now - HOUR : tampering === 'future' ? now + HOUR : now
  const { headers, body } = await signDelivery(key, delivery, { now: () => at })
  const request = { headers: Object.entries(headers), body }
  switch (tampering) {
    case 'body':
      return { ...request, body: altered(body) }
    case 'signature':
      return {
        ...request,
        headers: withHeader(request.headers, SIGNATURE, flipped(headers[SIGNATURE])),
      }
    case 'timestamp': {
      // A second later: fresh, and not what was signed.
      const later = String(Number(headers[TIMESTAMP]) + 1)
      return { ...request, headers: withHeader(request.headers, TIMESTAMP, later) }
    }
    case 'unsigned':
      return { ...request, headers: withoutHeaders(request.headers, SIGNATURE.toLowerCase()) }
    default:
      return request
  }
}

const SIGNATURE = 'X-Webhook-Signature'
const TIMESTAMP = 'X-Webhook-Timestamp'

/** Changes the case of the last letter, so that it remains a JSON text of the same length. */
function altered(body: Uint8Array): Uint8Array {
  const last = body.findLastIndex((byte) => /[a-z]/i.test(String.fromCharCode(byte)))
  return body.map((byte, index) => (index === last ? byte ^ 0x20 : byte))
}

/** Another last digit. */
function flipped(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
}
