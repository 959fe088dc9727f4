import { randomBytes } from 'node:crypto'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/adapter'
import { headerValue, withHeader, withoutHeaders } from './headers.ts'
import { inFormOf, type SignedRequest, signAgain } from './sign-again.ts'

/** What can be wrong with a delivery that a receiver should reject. */
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

const { signature: SIGNATURE, timestamp: TIMESTAMP } = CONTRACT_HEADERS

const HOUR = 3_600_000

/** Signs a request again, and tampers with it. `skew` is how far `stale` and `future` are from the clock, in milliseconds. */
export async function signTampered(
  request: SignedRequest,
  secret: string,
  now: number,
  tampering: Tampering,
  skew: number = HOUR,
): Promise<SignedRequest> {
  const key = tampering === 'secret' ? newSecret() : secret
  const at = tampering === 'stale' ? now - skew : tampering === 'future' ? now + skew : now
  const signed = await signAgain(request, key, at)
  const { headers, body } = signed
  switch (tampering) {
    case 'body':
      return { headers, body: altered(body) }
    case 'signature':
      return { headers: withHeader(headers, SIGNATURE, otherDigit(headers)), body }
    case 'timestamp': {
      // A second later: fresh, and not what was signed.
      const later = inFormOf(headerValue(headers, TIMESTAMP), at + 1000)
      return { headers: withHeader(headers, TIMESTAMP, later), body }
    }
    case 'unsigned':
      return { headers: withoutHeaders(headers, SIGNATURE.toLowerCase()), body }
    default:
      return signed
  }
}

/** A new secret, in the form of the contract (section 2). */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`
}

/** Changes the case of the last letter, so that it remains a JSON text of the same length. */
function altered(body: Uint8Array): Uint8Array {
  const last = body.findLastIndex((byte) => /[a-z]/i.test(String.fromCharCode(byte)))
  return last < 0 ? Buffer.from('x') : body.map((byte, at) => (at === last ? byte ^ 0x20 : byte))
}

function otherDigit(headers: SignedRequest['headers']): string {
  const signature = headerValue(headers, SIGNATURE) ?? ''
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
}
