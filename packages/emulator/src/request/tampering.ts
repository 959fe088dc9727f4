import { randomBytes } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { otherSecret } from '@webhook-receiver/core/testing'
import {
  isPrivateKey,
  namesOf,
  otherDigest,
  publicFormOf,
  schemeValueOf,
  sentOf,
  sharesSecret,
  timestampHeader,
  withDigests,
} from '@webhook-receiver/schemes/neighbours'
import { keyPairFor } from '@webhook-receiver/schemes/services'
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

/** What makes sense for a scheme: without a window nothing is too old, and without a timestamp in a header none is changed. */
export function tamperingsFor(scheme: Scheme): readonly Tampering[] {
  const value = schemeValueOf(scheme)
  const senseless: readonly Tampering[] = [
    ...(Number.isFinite(scheme.tolerance) || scheme.checkTime
      ? []
      : (['stale', 'future'] as const)),
    ...(value ? [] : (['signature'] as const)),
    ...(value?.signed.includes('timestamp') ? [] : (['timestamp'] as const)),
  ]
  return TAMPERINGS.filter((one) => !senseless.includes(one))
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

/** By what a request is signed that is to be tampered with. */
export async function tamperedSigning<Given extends Pick<Signing, 'scheme' | 'secret' | 'now'>>(
  signing: Given,
  tampering: Tampering | undefined,
  skew?: number,
): Promise<Given> {
  const { scheme = contract, secret, now } = signing
  const window = Number.isFinite(scheme.tolerance) ? scheme.tolerance : 0
  const far = skew ?? Math.max(HOUR, 2000 * window)
  const late = tampering === 'stale' ? -far : tampering === 'future' ? far : 0
  return {
    ...signing,
    secret: tampering === 'secret' ? await otherSecret(secret) : secret,
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
  const value = schemeValueOf(scheme)
  const signature = presentOf(headers, value ? namesOf(value.signature) : scheme.headers)
  switch (tampering) {
    case 'body':
      return { headers, body: tamperedWord(body).body }
    case 'signature':
      return { headers: changed(signature, otherSignature), body }
    case 'timestamp': {
      const header = presentOf(headers, value ? timestampHeader(value) : [])
      const sent = value && sentOf(value, (name) => headerValue(headers, name)).timestamp
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

/** The first of several names that a request has. */
function presentOf(headers: SignedRequest['headers'], names: readonly string[]): string {
  return names.find((name) => headerValue(headers, name) !== undefined) ?? names[0] ?? ''
}

/** A new secret to sign with, with what those of the service begin with: a private key where it shares none. */
export function newSecret(scheme: Scheme): string {
  if (!sharesSecret(scheme)) return keyPairFor(scheme).privateKey
  const isText = schemeValueOf(scheme)?.keys.every(({ secret }) => secret === 'text')
  // Hexadecimal digits are also base64, as some services have it.
  return `${scheme.secret?.begins ?? ''}${randomBytes(24).toString(isText ? 'base64url' : 'hex')}`
}

/** What a receiver is given, to verify what this secret signs. */
export function receiverSecret(scheme: Scheme, secret: string): string {
  const isPublic = publicFormOf(scheme) !== undefined && isPrivateKey(secret)
  return isPublic ? keyPairFor(scheme, secret).publicKey : secret
}

/**
 * Replaces the last word of the last text, so that somebody who reads the body sees it; without a text, changes the case of the last
 * letter. JSON stays JSON, and nothing that a receiver looks at becomes invalid.
 */
export function tamperedWord(body: Uint8Array): {
  readonly body: Uint8Array
  readonly note: string
} {
  // One character for each byte. The odd parts are strings, of which those before a colon are names.
  const parts = Buffer.from(body).toString('latin1').split('"')
  const at = parts.findLastIndex(
    (part, index) =>
      index % 2 === 1 &&
      part.includes(' ') &&
      /[a-z]{4}/i.test(part) &&
      !/^\s*:/.test(parts[index + 1] ?? ''),
  )
  const text = at < 0 ? parts.join('"') : (parts[at] ?? '')
  const found = [...text.matchAll(at < 0 ? /[a-z]/gi : /[a-z]{4,}/gi)].at(-1)
  if (!found) return { body: Buffer.from('x'), note: 'the body became "x"' }
  const [word] = found
  const flipped = Buffer.of(word.charCodeAt(0) ^ 0x20).toString()
  const other = at < 0 ? flipped : word === 'tampered' ? 'changed' : 'tampered'
  const tampered = text.slice(0, found.index) + other + text.slice(found.index + word.length)
  const all = at < 0 ? tampered : parts.with(at, tampered).join('"')
  return {
    body: Buffer.from(all, 'latin1'),
    note: `${at < 0 ? 'the last letter ' : ''}"${word}" became "${other}"`,
  }
}
