import { isRecord, quoted, rejection, stringsOf, valuesOf } from '@webhook-receiver/core/internal'
import { base64url } from 'jose'
import type { Algorithm } from './keys/algorithm.ts'
import type { TokenHeader, VerificationKey } from './keys/source.ts'
import type { Claims, JwtService } from './service.ts'

/** A token in its three parts (RFC 7515, section 7.1). Nothing of it is verified. */
export interface Token {
  readonly protected: string
  /** Empty where the body is signed in its place. */
  readonly payload: string
  readonly signature: string
  readonly header: TokenHeader
  /** What was verified with the same header. */
  readonly known?: VerifiedHeader | undefined
}

/** The header of a token whose signature was valid, with the public key that showed it. */
export interface VerifiedHeader {
  readonly header: TokenHeader
  readonly key: VerificationKey | undefined
}

/** In characters: more than a header of a request may have on most servers, and of a body that holds a token, more than any service sends. */
const LONGEST = { header: 16_384, body: 1_048_576 }

const PARTS = /^([\w-]+)\.([\w-]*)\.([\w-]+)$/
const BEARER = /^Bearer +(?=\S)/i

/**
 * Reads the token of a header.
 *
 * @throws WebhookError `signature_malformed` for anything but a token of this algorithm.
 */
export function tokenInHeader(
  value: string,
  { header, bearer = false }: { readonly header: string; readonly bearer?: boolean | undefined },
  service: JwtService,
  verified: ReadonlyMap<string, VerifiedHeader>,
): Token {
  if (value.length > LONGEST.header) throw malformed(header, service, 'is too long')
  const [word] = bearer ? (BEARER.exec(value) ?? []) : ['']
  if (word === undefined) throw malformed(header, service, 'begins with another word')
  return readToken(value.slice(word.length), header, service, verified)
}

/** The same for a token that is a property of the JSON body. */
export function tokenInBody(
  body: Uint8Array,
  property: string,
  service: JwtService,
  verified: ReadonlyMap<string, VerifiedHeader>,
): Token {
  const where = `The property "${property}" of the body`
  if (body.length > LONGEST.body) {
    throw malformed(
      where,
      service,
      `is in a body of ${body.length} bytes, of which at most ${LONGEST.body} are read`,
    )
  }
  const text = stringsOf(body, [property])?.get(property)
  if (!text) throw malformed(where, service, 'is missing, or no token')
  return readToken(latin1.decode(text), where, service, verified)
}

/** `verified` has headers of tokens whose signature was valid, by their encoded form: most tokens of a service have the same. */
export function readToken(
  text: string,
  where: string,
  service: JwtService,
  verified: ReadonlyMap<string, VerifiedHeader>,
): Token {
  const [, head = '', payload = '', signature = ''] = PARTS.exec(text) ?? []
  const isDetached = service.body === 'detached'
  if (!head || (payload === '') !== isDetached) {
    throw malformed(where, service, isDetached && payload ? 'has content' : 'has other parts')
  }
  const known = verified.get(head)
  if (known) return { protected: head, payload, signature, header: known.header, known }
  const header = objectIn(textOf(bytesOf(head)))
  if (!header) throw malformed(where, service, 'has a header that is not JSON')
  const { alg, crit } = header
  if (alg !== service.algorithm) {
    const seen = typeof alg === 'string' ? quoted(alg) : 'no text'
    throw malformed(where, service, `names the algorithm ${seen}`)
  }
  // RFC 7797: the one extension that says how a body is signed, and only a detached one. It has to be there if it is named.
  const isNamed = Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64'
  const isKnown = isDetached && isNamed && typeof header.b64 === 'boolean'
  if (crit !== undefined && !isKnown) {
    throw malformed(where, service, 'has an extension (crit) that is not accepted')
  }
  if (header.b64 !== undefined && !isKnown) {
    throw malformed(where, service, 'has content that is not encoded (b64)')
  }
  return { protected: head, payload, signature, header }
}

/** The claims in signed bytes; `undefined` for anything but an object of JSON in which each has one value. */
export function claimsIn(bytes: Uint8Array): Claims | undefined {
  const text = textOf(bytes)
  const claims = objectIn(text)
  const again = claims && written(claims)
  if (!claims || again === undefined) return undefined
  // What JSON writes in the same way has each name once. To look for that in another spelling takes longer.
  return text === again || valuesOf(bytes, Object.keys(claims)) ? claims : undefined
}

/** As JSON; `undefined` if it is nested so deeply that the stack ends. */
function written(claims: Claims): string | undefined {
  try {
    return JSON.stringify(claims)
  } catch {
    return undefined
  }
}

/** The bytes of base64url; `undefined` for what it cannot write. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    // No decoder writes into shared memory.
    return base64url.decode(text) as Uint8Array<ArrayBuffer>
  } catch {
    return undefined
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes) : ''
  } catch {
    return ''
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// It fails for no bytes. What is no digit of a token is rejected behind it.
const latin1 = new TextDecoder('latin1')

function malformed(
  header: string,
  { algorithm, token }: { readonly algorithm: Algorithm; readonly token: JwtService['token'] },
  fault: string,
): Error {
  const behind = 'bearer' in token && token.bearer ? ' behind "Bearer"' : ''
  return rejection('signature_malformed', {
    header,
    expected: `a token${behind} signed by ${algorithm}`,
    fault,
  })
}
