import type { SignableParts } from '@webhook-receiver/core'
import { mac } from '@webhook-receiver/core/internal'
import { base64url } from 'jose'
import type { SigningKey } from './keys/source.ts'
import { placesOf } from './place.ts'
import type { JwtService } from './service.ts'

/** How long a token is valid, in seconds. */
const LIFETIME = 300

/** The headers with which the service would send this body. */
export async function signedHeaders(
  service: JwtService,
  signing: SigningKey,
  body: Uint8Array,
  parts: SignableParts,
): Promise<Readonly<Record<string, string>>> {
  const { token: at } = service
  if (!('header' in at)) throw new TypeError('The token is in the body: sign that with `bodyOf`.')
  const content =
    service.body === 'detached'
      ? body
      : encode(JSON.stringify(await claimsOf(service, signing, body, parts)))
  const token = await signToken(service, signing, content)
  const written = service.body === 'detached' ? token.replace(/\..*\./, '..') : token
  const inHeaders = [
    ...placesOf(service.id).map((place) => [place, parts.id] as const),
    ...placesOf(service.event).map((place) => [place, parts.event] as const),
  ].flatMap(([place, value]) => ('header' in place ? [[place.header, value] as const] : []))
  return {
    ...Object.fromEntries(inHeaders),
    [at.header]: `${at.bearer ? 'Bearer ' : ''}${written}`,
  }
}

/** A token of these bytes (RFC 7515, section 7.1). */
export async function signToken(
  { algorithm }: Pick<JwtService, 'algorithm'>,
  { sign, id }: SigningKey,
  content: Uint8Array,
): Promise<string> {
  const header = { alg: algorithm, typ: 'JWT', ...(id !== undefined && { kid: id }) }
  const input = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(content)}`
  return `${input}.${base64url.encode(await sign(input))}`
}

async function claimsOf(
  service: JwtService,
  { account }: SigningKey,
  body: Uint8Array,
  { time, url, instance }: SignableParts,
): Promise<Readonly<Record<string, unknown>>> {
  const { issuer = [], audience = [], body: binding } = service
  const seconds = Math.floor(time / 1000)
  const named = typeof service.account === 'string' ? { [service.account]: account } : {}
  return {
    // Where the service pins none, as the receiver has the secret of one instance.
    iss: [issuer].flat()[0] ?? instance,
    aud: [audience].flat()[0],
    ...named,
    ...('email' in named && { email_verified: true }),
    ...(service.url !== undefined && { [service.url]: url }),
    iat: seconds,
    nbf: seconds,
    ...(service.expires !== false && { exp: seconds + LIFETIME }),
    jti: crypto.randomUUID(),
    ...(typeof binding === 'object' && {
      [binding.claim]: encodedDigest(await mac.sha256Hex(body), binding.encoding),
    }),
  }
}

/** A digest of hexadecimal digits in another encoding, with padding. */
export function encodedDigest(digits: string, encoding: 'base64' | 'base64url' | 'hex'): string {
  if (encoding === 'hex') return digits
  const bytes = digits.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))
  const base64 = btoa(bytes)
  return encoding === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_')
}

const encode = (text: string) => new TextEncoder().encode(text)
