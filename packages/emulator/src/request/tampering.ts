import type { Scheme } from '@webhook-receiver/core'
import {
  contract,
  hasWindow,
  tamperedSigning as signingBy,
  tamperedWord,
} from '@webhook-receiver/core/internal'
import {
  type MistakeCode,
  mistakesOf,
  namesOf,
  otherDigest,
  SIGNING_MISTAKES,
  schemeValueOf,
  timestampHeader,
  withDigests,
  withMistake,
} from '@webhook-receiver/schemes/neighbours'
import { headerValue, withHeader, withoutHeaders } from './headers.ts'
import {
  inFormOf,
  type SignedRequest,
  type Signing,
  sentTimestamp,
  signAgain,
} from './sign-again.ts'

/** What can be wrong with a delivery that a receiver should reject, besides the mistakes of a sender. */
export const TAMPERINGS = [
  'body',
  'signature',
  'timestamp',
  'secret',
  'stale',
  'future',
  'unsigned',
] as const

export type NamedTampering = (typeof TAMPERINGS)[number]

/** What a parser or a proxy does to a body after it was signed. */
const REWRITTEN = 'body_reserialized'

/** A mistake on the way, or of a sender: docs/reference/diagnosis-codes.md says what each code is. */
export type Mistake = typeof REWRITTEN | MistakeCode

export type Tampering = NamedTampering | Mistake

export const MISTAKES: readonly Mistake[] = [REWRITTEN, ...SIGNING_MISTAKES.map(({ code }) => code)]

const HOUR = 3_600_000

/** What makes sense for a scheme: without a window nothing is too old, and without a timestamp in a header none is changed. */
export function tamperingsFor(scheme: Scheme): readonly NamedTampering[] {
  const value = schemeValueOf(scheme)
  const senseless: readonly NamedTampering[] = [
    ...(hasWindow(scheme) ? [] : (['stale', 'future'] as const)),
    ...(value ? [] : (['signature'] as const)),
    ...(value?.signed.includes('timestamp') ? [] : (['timestamp'] as const)),
  ]
  return TAMPERINGS.filter((one) => !senseless.includes(one))
}

/** What a receiver can reject: one with `tolerance` also checks a signed time for which the service has no window. */
export function possibleFor(scheme: Scheme): readonly Tampering[] {
  const timed = scheme.readTime && !hasWindow(scheme) ? (['stale', 'future'] as const) : []
  return [...tamperingsFor(scheme), ...timed, ...mistakesFor(scheme)]
}

/** Those that a delivery of the service can have. */
export function mistakesFor(scheme: Scheme): readonly Mistake[] {
  const value = schemeValueOf(scheme)
  if (!value) return []
  const codes = mistakesOf(value).map(({ code }) => code)
  return value.signed.includes('body') ? [REWRITTEN, ...codes] : codes
}

/** Signs a request again, and tampers with it. `skew` is how far `stale` and `future` are from the clock, in milliseconds. */
export async function signTampered(
  request: SignedRequest,
  signing: Signing,
  tampering: Tampering,
  skew?: number,
): Promise<SignedRequest> {
  const tampered = await tamperedSigning(signing, tampering, skew)
  return tamperWith(await signAgain(request, tampered), tampered, tampering)
}

/**
 * By what a request is signed that is to be tampered with: for a mistake, by a neighbour of the scheme.
 *
 * @throws TypeError for a mistake that no sender of the service can make.
 */
export async function tamperedSigning<Given extends Pick<Signing, 'scheme' | 'secret' | 'now'>>(
  signing: Given,
  tampering: Tampering | undefined,
  skew?: number,
): Promise<Given> {
  const { scheme = contract } = signing
  const named = TAMPERINGS.find((one) => one === tampering)
  if (tampering !== undefined && tampering !== REWRITTEN && named === undefined) {
    return { ...signing, scheme: withMistake(scheme, tampering) }
  }
  const window = Number.isFinite(scheme.tolerance) ? scheme.tolerance : 0
  const far = skew ?? Math.max(HOUR, 2000 * window)
  return signingBy(signing, named && BY_CORE[named], far)
}

/** What `deliverTo` calls those that change what signs. */
const BY_CORE: { readonly [Name in NamedTampering]?: 'wrong-secret' | 'stale' | 'future' } = {
  secret: 'wrong-secret',
  stale: 'stale',
  future: 'future',
}

/** Changes what was signed. */
export function tamperWith(
  signed: SignedRequest,
  { scheme = contract, now }: Pick<Signing, 'scheme' | 'now'>,
  tampering: Tampering | undefined,
): SignedRequest {
  const { headers, body } = signed
  const value = schemeValueOf(scheme)
  const signature = presentOf(headers, value ? namesOf(value.signature) : scheme.headers)
  switch (tampering) {
    case 'body':
      return { headers, body: tamperedWord(body).body }
    case REWRITTEN:
      return { headers, body: rewritten(body) }
    case 'signature':
      return { headers: changed(signature, otherSignature), body }
    case 'timestamp': {
      const header = presentOf(headers, value ? timestampHeader(value) : [])
      const sent = sentTimestamp(scheme, headers)
      // A second later: fresh, and not what was signed.
      const later = inFormOf(sent, now + 1000)
      return { headers: changed(header, (text) => text.replace(sent ?? '', later)), body }
    }
    case 'unsigned':
      return { headers: withoutHeaders(headers, signature.toLowerCase()), body }
    default:
      return signed
  }

  function changed(name: string, change: (text: string) => string): SignedRequest['headers'] {
    return withHeader(headers, name, change(headerValue(headers, name) ?? ''))
  }

  function otherSignature(text: string): string {
    return value ? withDigests(value, text, (digest) => otherDigest(value, digest)) : text
  }
}

/** The same content in other bytes, each of which stands for itself in Latin-1: JSON with white space, a form with escapes in lower case. */
function rewritten(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString('latin1')
  const spaced = text.replace(/"(?:[^"\\]|\\.)*"|[{,:]/g, (token) =>
    token.length === 1 ? `${token} ` : token,
  )
  const other = /^\s*[[{]/.test(text)
    ? spaced
    : text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
  return Buffer.from(other === text ? `${text} ` : other, 'latin1')
}

/** The first of several names that a request has. */
function presentOf(headers: SignedRequest['headers'], names: readonly string[]): string {
  return names.find((name) => headerValue(headers, name) !== undefined) ?? names[0] ?? ''
}
