import { randomBytes } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { otherSecret } from '@webhook-receiver/core/testing'
import { headerValue, withHeader, withoutHeaders } from './headers.ts'
import { inFormOf, type SignedRequest, type Signing, signAgain } from './sign-again.ts'

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

const HOUR = 3_600_000

/** What makes sense for a scheme: without a window nothing is too old, and a header with more in it is not changed. */
export function tamperingsFor({ tolerance, places }: Scheme): readonly Tampering[] {
  return TAMPERINGS.filter((one) => {
    if (one === 'signature' || one === 'timestamp') return places !== undefined
    return Number.isFinite(tolerance) || (one !== 'stale' && one !== 'future')
  })
}

/** Signs a request again, and tampers with it. `skew` is how far `stale` and `future` are from the clock, in milliseconds. */
export async function signTampered(
  request: SignedRequest,
  signing: Signing,
  tampering: Tampering,
  skew?: number,
): Promise<SignedRequest> {
  const tampered = tamperedSigning(signing, tampering, skew)
  return tamperWith(await signAgain(request, tampered), tampered, tampering)
}

/** By what a request is signed that is to be tampered with. */
export function tamperedSigning<Given extends Pick<Signing, 'scheme' | 'secret' | 'now'>>(
  signing: Given,
  tampering: Tampering | undefined,
  skew?: number,
): Given {
  const { scheme = contract, secret, now } = signing
  const far = skew ?? Math.max(HOUR, 2000 * scheme.tolerance)
  const late = tampering === 'stale' ? -far : tampering === 'future' ? far : 0
  return {
    ...signing,
    secret: tampering === 'secret' ? otherSecret(secret) : secret,
    now: now + late,
  }
}

/** Changes what was signed. */
export function tamperWith(
  signed: SignedRequest,
  { scheme = contract, now }: Pick<Signing, 'scheme' | 'now'>,
  tampering: Tampering | undefined,
): SignedRequest {
  const { headers, body } = signed
  const { signature = scheme.headers[0] ?? '', timestamp = '' } = scheme.places ?? {}
  switch (tampering) {
    case 'body':
      return { headers, body: altered(body) }
    case 'signature':
      return { headers: withHeader(headers, signature, otherDigit(headers, signature)), body }
    case 'timestamp': {
      // A second later: fresh, and not what was signed.
      const later = inFormOf(headerValue(headers, timestamp), now + 1000)
      return { headers: withHeader(headers, timestamp, later), body }
    }
    case 'unsigned':
      return { headers: withoutHeaders(headers, signature.toLowerCase()), body }
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

function otherDigit(headers: SignedRequest['headers'], header: string): string {
  const signature = headerValue(headers, header) ?? ''
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
}
