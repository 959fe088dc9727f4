import { ignore } from './async/timeout.ts'
import { remoteOf } from './hooks.ts'
import { inDevelopment } from './reject/environment.ts'
import { oneLine } from './reject/log-line.ts'
import { rejection } from './reject/rejection.ts'
import type { Incoming } from './request/incoming.ts'
import { withoutOrigin } from './request/target.ts'
import type { Scheme, SignedPart } from './verify/scheme.ts'

/** The option `publicUrl`. */
export type PublicUrl<Context> = string | ((request: Context) => string)

/** The public URL of a request, as far as the receiver knows what the service signed. */
export interface SignedUrl {
  readonly url: string
  /** It is the URL that was registered: the target of the request has no part in it but a digest. */
  readonly isRegistered: boolean
  /** The request has another query than the registered URL, so it is not what was signed. */
  readonly otherQuery: boolean
}

/**
 * Makes the function that reads the public URL of a request.
 *
 * To an origin, path and query are added as requested. A whole URL is the one that was registered: the request has its query or none,
 * with at most the digest of the body behind it. Its path is not looked at, because a proxy may have changed it.
 */
export function urlReader(
  publicUrl: PublicUrl<never>,
  { urlDigest }: Pick<Scheme, 'urlDigest'>,
): (incoming: Incoming<unknown>) => SignedUrl {
  if (typeof publicUrl === 'function') {
    // The options promise the function what the adapter gives.
    return ({ context }) => named(urlOf(publicUrl, context as never))
  }
  const targetOf = (incoming: Incoming<unknown>) => {
    const { url } = remoteOf(incoming)
    return typeof url === 'string' ? url : ''
  }
  if (isOrigin(publicUrl)) {
    return (incoming) => named(publicUrlOf(publicUrl, targetOf(incoming)))
  }
  const registered = withoutFragment(publicUrl)
  const query = queryOf(registered)
  const fields = fieldsOf(query)
  const digest = urlDigest ? new RegExp(`(?:^|&)(${urlDigest}=[0-9a-f]{64})$`) : undefined
  return (incoming) => {
    const requested = queryOf(targetOf(incoming))
    const [whole = '', parameter] = digest?.exec(requested) ?? []
    const rest = requested.slice(0, requested.length - whole.length)
    return {
      url: parameter ? `${registered}${query ? '&' : '?'}${parameter}` : registered,
      isRegistered: true,
      // An escape has three characters: what is longer is another query, and is not parsed before it is known who sent it.
      otherQuery:
        rest !== '' &&
        rest !== query &&
        (rest.length > 3 * query.length + 3 || fieldsOf(rest) !== fields),
    }
  }
}

/** A URL that was made of the request. */
function named(url: string): SignedUrl {
  return { url, isRegistered: false, otherQuery: false }
}

/** The URL that is signed for a request to this target. */
export function publicUrlOf(publicUrl: string, target: string): string {
  // A target may be a whole URL too (RFC 9112, section 3.2.2).
  return `${withoutFragment(publicUrl)}${isOrigin(publicUrl) ? withoutOrigin(target) : ''}`
}

/** What the signature does not cover with this `publicUrl`: of the target of a request, a registered URL binds no path, and its query may be left out. */
export function unsignedWith(
  publicUrl: PublicUrl<never> | undefined,
  { signsUrl, unsigned = [] }: Scheme,
): readonly SignedPart[] {
  const isWhole = typeof publicUrl === 'string' && !isOrigin(publicUrl)
  if (!signsUrl || !isWhole) return unsigned
  const rest = unsigned.filter((part) => part !== 'path' && part !== 'query')
  return queryOf(withoutFragment(publicUrl)) ? [...rest, 'path', 'query'] : [...rest, 'path']
}

/** A URL for the operator: without credentials and, but in development, without the values of its query. */
export function shownUrl(url: string): string {
  const [before = '', query] = url.replace(/^(https?:\/\/)[^/?]*@/, '$1').split(/\?(.*)/s)
  if (query === undefined) return oneLine(before)
  return oneLine(`${before}?${inDevelopment() ? query : query.replace(/=[^&]*/g, '=…')}`)
}

/** An authority, and what is behind it. */
const URL_FORM = /^https?:\/\/([!-.0->@-~]+)([/?][!-~]*)?$/

/** Whether a text is an origin without credentials, or a whole URL. */
export function isPublicUrl(text: string): boolean {
  const [, authority, rest] = URL_FORM.exec(withoutFragment(text)) ?? []
  return (
    authority !== undefined &&
    (rest !== undefined || !authority.includes('@')) &&
    URL.canParse(text)
  )
}

function isOrigin(url: string): boolean {
  return !/^https?:\/\/[^/?#]*[/?]/.test(url)
}

/** A fragment is never sent, so no service signs it. */
function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '')
}

function queryOf(url: string): string {
  return /\?(.*)$/s.exec(url)?.[1] ?? ''
}

/**
 * Two queries are the same where an application reads the same fields in them: a service may escape more characters than it was given, and
 * API Gateway may change the order of the names.
 */
function fieldsOf(query: string): string {
  try {
    // It throws for what is not UTF-8. Bundlers would leave the call out if its result were not used.
    if (decodeURIComponent(query) !== undefined) {
      // It would drop a question mark in front.
      const fields = new URLSearchParams(`?${query}`)
      // Fields of one name keep their order.
      fields.sort()
      return JSON.stringify([...fields])
    }
  } catch {
    // Then the fields would be the same for different bytes.
  }
  return query
}

function urlOf(publicUrl: (request: never) => unknown, context: never): string {
  let url: unknown
  try {
    url = publicUrl(context)
    // None is undefined/hooks, where the variable with the origin is not set.
    if (typeof url === 'string' && URL_FORM.test(url)) return withoutFragment(url)
  } catch (cause) {
    throw rejection('url_unavailable', undefined, { cause })
  }
  ignore(url)
  throw rejection('url_unavailable')
}
