import type { Scheme, SignableParts, SignedHead, SignedPart } from '@webhook-receiver/core'
import {
  isRecord,
  type MaybeAsync,
  mac,
  madeBy,
  PEM,
  parseJson,
  quoted,
  rejection,
  signatureMissing,
  thenMaybeAsync,
  withTimeoutIfAsync,
  wrongMethod,
} from '@webhook-receiver/core/internal'
import { checkService } from './check.ts'
import { addressFault, contentFault, type Expected, mustExpire } from './claims.ts'
import { isSigning } from './keys/source.ts'
import { fieldOf, placesOf, textAt } from './place.ts'
import { pointed, withPointed } from './pointer.ts'
import type { Claims, JwtKind, JwtService, Place } from './service.ts'
import { encodedDigest, signedHeaders } from './sign.ts'
import { type Key, NOTHING, payloadReader } from './signature.ts'
import {
  claimsIn,
  readToken,
  type Token,
  tokenInBody,
  tokenInHeader,
  type VerifiedHeader,
} from './token.ts'

interface Head extends SignedHead {
  readonly header: (name: string) => string | null | undefined
  readonly url: string | undefined
  token: Token | undefined
  /** What was signed; `null` by no key of the service. The keys of a source are the same for all secrets of the receiver. */
  payload?: Promise<Uint8Array | null> | undefined
  /** Why the token is not for this receiver. */
  fault?: string | undefined
  claims?: Claims | undefined
  /** What was signed as the data, where that is not the body, and what is signed inside of it, by its pointers. */
  content?: Uint8Array | undefined
  nested?: ReadonlyMap<string, Uint8Array> | undefined
}

/** How far the clocks may be apart, in seconds. */
const LEEWAY = 60

/** By their scheme, how the services sign: for tests, which sign with another key. */
export const services: WeakMap<object, JwtService> = new WeakMap()

/**
 * The scheme of a service that signs by a JWT or JWS (RFC 7519, RFC 7515).
 *
 * @throws TypeError where it would accept what is meant for others.
 *
 * @example
 * const netlify = jwtScheme({
 *   name: 'netlify',
 *   token: { header: 'x-webhook-signature' },
 *   algorithm: 'HS256',
 *   keys: 'secret',
 *   body: { claim: 'sha256', encoding: 'hex' },
 *   issuer: 'netlify',
 *   expires: false,
 * })
 */
export function jwtScheme<const Service extends JwtService>(
  service: Service,
): Scheme<unknown, JwtKind<Service>> {
  checkService(service)
  const scheme = madeBy('@webhook-receiver/jwt', 'scheme', schemeOf(service))
  services.set(scheme, service)
  // The kind is what the type of the service says.
  return scheme as Scheme as Scheme<unknown, JwtKind<Service>>
}

function schemeOf(service: JwtService): Scheme<Key> {
  const { name, title, token, keys, body: binding, tolerance } = service
  const at = 'header' in token ? token : undefined
  const [ids, events] = [placesOf(service.id), placesOf(service.event)]
  const isBodySigned = binding !== 'unsigned'
  const isSigned = (places: readonly Place[]) =>
    isBodySigned && places.every((place) => 'pointer' in place)
  const unsigned: SignedPart[] = [
    ...(ids.length > 0 && !isSigned(ids) ? (['id'] as const) : []),
    ...(events.length > 0 && !isSigned(events) ? (['event'] as const) : []),
    ...(isBodySigned ? [] : (['body'] as const)),
  ]
  const inHeaders = [...ids, ...events].flatMap((place) => ('header' in place ? place.header : []))
  const verified = new Map<string, VerifiedHeader>()
  const payloadOf = payloadReader(service, verified)
  const unsignedId = ids.find((place) => 'header' in place)

  async function nestedIn(claims: Claims, key: Key): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    for (const pointer of service.nested ?? []) {
      const text = pointed(claims, pointer)
      if (text === undefined) continue
      const inner = readToken(String(text), `${pointer} of the token`, service, verified)
      const payload = await payloadOf(inner, key, NOTHING)
      if (!payload || !claimsIn(payload)) {
        throw rejection('token_rejected', { what: `${pointer} in it is not` })
      }
      found.set(pointer, payload)
    }
    return found
  }

  async function verify(key: Key, head: Head, body: Uint8Array): Promise<boolean> {
    const { property } = 'property' in token ? token : { property: '' }
    const sent = head.token ?? tokenInBody(body, property, service, verified)
    const pending = head.payload ?? payloadOf(sent, key, body)
    head.token = sent
    // A source has the same keys for every account.
    if (!key.shared) head.payload = pending
    const payload = await pending
    if (!payload) {
      if (keys !== 'secret') head.fault = `by no key of ${keys.from}${keyName(sent)}`
      return false
    }
    const claims = binding === 'detached' ? contentOf(body) : claimsIn(payload)
    const { account, check } = service
    // Before a function is asked: anybody can have a token of a shared issuer for another audience.
    const misdirected = claims && addressFault(claims, service)
    const isAsked = claims && misdirected === undefined && typeof account === 'function'
    const named = isAsked && (await asked('account', account, claims))
    const expected: Expected = { account: key.account, named, url: head.url }
    const found = claims
      ? (misdirected ?? contentFault(claims, service, expected) ?? bodyFault(claims, body))
      : 'its claims are no object of JSON, or one has two values'
    let fault = typeof found === 'object' ? await found : found
    // Behind the body, which it must not keep from being checked: what it returns may be a promise.
    if (claims && check) fault ??= (await asked('check', check, claims)) ?? undefined
    if (fault !== undefined || !claims) {
      head.fault = fault
      return false
    }
    if (binding === 'claims') {
      head.nested = await nestedIn(claims, key)
      head.content = payload
    }
    head.claims = binding === 'detached' ? {} : claims
    return true
  }

  /** Of a detached signature, the body is all that there is. */
  function contentOf(body: Uint8Array): Claims | undefined {
    if (service.account === undefined && service.check === undefined) return {}
    const content = parseJson(body)
    return isRecord(content) ? content : undefined
  }

  function bodyFault(claims: Claims, body: Uint8Array): MaybeAsync<string | undefined> {
    if (typeof binding !== 'object') return undefined
    const { claim, encoding } = binding
    return thenMaybeAsync(mac.sha256Hex(body), (hash) => {
      const expected = encodedDigest(hash, encoding)
      // Some write the padding of base64, and some do not.
      if ([expected, expected.replace(/=+$/, '')].some((each) => each === claims[claim])) {
        return undefined
      }
      return `its ${claim} is not the SHA-256 of the ${body.length} bytes of the body. A proxy or your code may have changed them`
    })
  }

  const scheme: Scheme<Key> = {
    name,
    title,
    headers: [...new Set([...(at ? [at.header] : []), ...inHeaders])],
    idHeader: unsignedId && 'header' in unsignedId ? unsignedId.header : undefined,
    hasId: ids.length > 0,
    hasEvent: events.length > 0,
    tolerance: tolerance ?? Number.POSITIVE_INFINITY,
    expires: mustExpire(service),
    unsigned,
    bodySigned: isBodySigned,
    signsUrl: service.url !== undefined,
    largest: service.largest,
    success: service.success,
    replies: service.replies,
    patience: service.patience,
    secret:
      keys === 'secret'
        ? {
            called: 'the secret',
            chosen: service.secret === undefined,
            ...service.secret,
            mistaken: { ...PEM, ...service.secret?.mistaken },
          }
        : { called: 'the account', isName: true, ...service.secret },
    requests: service.requests,
    importKey(secret, label) {
      if (keys !== 'secret') {
        if (service.account === 'email' && !/^[^\s@]+@[^\s@]+$/.test(secret)) {
          throw new TypeError(
            `${label} is not the email of an account: only its tokens are accepted.`,
          )
        }
        return { shared: undefined, account: secret }
      }
      const imported = mac.importKey(new TextEncoder().encode(secret))
      return thenMaybeAsync(imported, (shared) => ({ shared, account: undefined }))
    },
    readHead(request): Head {
      const { method, url } = request
      const names = at ? [at.header] : []
      if (method !== 'POST') throw wrongMethod(request, names, scheme)
      const value = at && request.header(at.header)
      if (at && !value) throw signatureMissing(request, names, scheme)
      const found = at && value ? tokenInHeader(value, at, service, verified) : undefined
      return {
        timestamp: undefined,
        header: (each) => request.header(each),
        url,
        token: found,
      }
    },
    verify,
    mismatch: ({ fault }: Head) =>
      fault === undefined ? undefined : rejection('token_rejected', { what: fault }),
    checkTime({ claims = {} }: Head, now) {
      const { exp, nbf, iat } = claims
      const seconds = now / 1000
      const since = seconds - Number(exp ?? seconds)
      // Written so that a clock that returns NaN rejects.
      if (!(since <= LEEWAY)) {
        throw rejection('timestamp_too_old', { seconds: since, says: 'expired', now })
      }
      const until = Math.max(...[nbf, iat].map((begin) => Number(begin ?? seconds) - seconds))
      if (!(until <= LEEWAY)) {
        throw rejection('timestamp_in_future', { seconds: until, says: 'becomes valid', now })
      }
    },
    ...(tolerance !== undefined && {
      readTime: ({ claims = {} }: Head) => Number(claims.iat) * 1000,
    }),
    readBody(body, _events, head: Head) {
      const isEmpty = body.length === 0 && service.mayBeEmpty === true
      const data = binding === 'claims' ? dataOf(head) : isEmpty ? {} : parseJson(body)
      const text = (places: readonly Place[]) => textAt(places, head.header, data)
      const id = text(ids)
      if (ids.length > 0 && !id) {
        const expected = service.withoutId ?? 'there'
        throw rejection('envelope_invalid', { field: fieldOf(ids), expected })
      }
      const action = service.action && text([service.action])
      return {
        scheme: name,
        ...(id !== undefined && { id }),
        ...(events.length > 0 && { event: text(events) ?? '' }),
        ...(action && { action }),
        data,
      }
    },
    identity: (head: Head, body) => {
      if (binding === 'unsigned') return ['', NOTHING]
      if (binding !== 'claims') return ['', body]
      return [JSON.stringify(dataOf(head), withoutTimes), NOTHING]
    },
    ...(service.action && {
      actionOf: (data: unknown) => textAt([service.action as Place], () => undefined, data),
    }),
    compose(data, { id, event }) {
      const values: readonly (readonly [readonly Place[], string])[] = [
        [ids, id],
        [events, event],
      ]
      let made: unknown = data
      for (const [places, value] of values) {
        const [place] = places
        if (place && 'pointer' in place && !textAt(places, () => undefined, made)) {
          made = withPointed(made, place.pointer, value)
        }
      }
      return new TextEncoder().encode(JSON.stringify(made))
    },
    ...(at &&
      (keys === 'secret' || isSigning(keys)) && {
        sign: ({ shared, account }: Key, body: Uint8Array, parts: SignableParts) => {
          const signing =
            keys !== 'secret' && isSigning(keys) ? { ...keys.signing, account } : undefined
          const own = shared && { sign: (input: string) => mac.sign(shared, input, NOTHING) }
          return signedHeaders(service, signing ?? own ?? nothingSigns(), body, parts)
        },
      }),
  }
  return scheme
}

/** What a function of the service returns, or resolves to. Frameworks would take a status, a whole response or nothing from what it throws. */
async function asked<Result>(
  option: 'account' | 'check',
  ask: (claims: Claims) => MaybeAsync<Result>,
  claims: Claims,
): Promise<Result> {
  try {
    return await withTimeoutIfAsync(5, ask(claims), () => new Error('it took more than 5 s'))
  } catch (cause) {
    throw rejection('key_unavailable', { option }, { cause })
  }
}

/** The claims that are the data. They are read again, because a handler may have written into what it got. */
function dataOf({ content = NOTHING, nested = new Map() }: Head): unknown {
  let data = parseJson(content)
  for (const [pointer, bytes] of nested) data = withPointed(data, pointer, parseJson(bytes))
  return data
}

/** What is another one in each copy that is signed again. */
const TIMES = ['iat', 'nbf', 'exp', 'jti', 'signedDate']

function withoutTimes(name: string, value: unknown): unknown {
  return TIMES.includes(name) ? undefined : value
}

function keyName({ header: { kid } }: Token): string {
  return typeof kid === 'string' ? ` (it names ${quoted(kid)})` : ''
}

function nothingSigns(): never {
  throw new TypeError('Only the service itself can sign.')
}
