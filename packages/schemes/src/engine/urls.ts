import { hexadecimal, mac } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'

/** What a service needs that may sign its URL with the digest of the body, and in another spelling than it is requested. */
export interface Urls {
  /**
   * Makes the function that reads the SHA-256 of the body in the last parameter of a URL. Anywhere else, and in a URL that holds a form, it
   * may be part of what a stranger wrote into a field.
   */
  readonly digestReader: (
    digest: NonNullable<SchemeValue['bodyDigest']>,
  ) => (url: string) => string | undefined
  readonly hasDigest: (body: Uint8Array, digest: string) => Promise<boolean>
  /** The URL in every spelling that Twilio's SDK tries, each once. */
  readonly spellings: (url: string) => readonly string[]
  /** The URL with escapes of these characters decoded. */
  readonly decoded: (url: string, characters: string, isRegistered: boolean) => string
}

/** Every form of Twilio names what it is about. */
const CALL = /[?&](?:Call|Message|Sms)Sid=/

export const urls: Urls = {
  digestReader({ query, form }) {
    const parameter = new RegExp(`[?&]${query}=([0-9a-f]{64})$`)
    const field = form && new RegExp(`${form.text}[0-9a-f]{${form.digits}}`)
    // A call by GET has its form in the query, and is signed as its URL alone.
    const holdsForm = (url: string) =>
      field?.test(url) || (CALL.test(url) && field?.test(url.replace(/[?&=]/g, '')))
    return (url) => (holdsForm(url) ? undefined : parameter.exec(url)?.[1])
  },
  hasDigest: async (body, digest) =>
    hexadecimal(await mac.sha256(Uint8Array.from(body))) === digest,
  spellings(url) {
    const normal = normalized(url)
    const written = normal === undefined ? [url] : [url, normal, withDecodedQuery(normal)]
    return [...new Set(written.flatMap(withAndWithoutPort))]
  },
  decoded(url, characters, isRegistered) {
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    // A request could name another path or no query, and have the signature of this one.
    const inPath = isRegistered ? characters : characters.replace(/[/?]/g, '')
    return unescaped(path, inPath) + unescaped(url.slice(path.length), characters)
  },
}

function unescaped(text: string, characters: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (written, digits) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return characters.includes(character) ? character : written
  })
}

/** More than these, `querystring` does not read. */
const MOST_PAIRS = 1000

function withAndWithoutPort(url: string): readonly string[] {
  const [, scheme = '', user = '', host = '', port, rest = ''] =
    /^(https?:\/\/)([^/?#]*@)?(\[[^/?#]*\]|[^/?#:@]*)(:[^/?#]*)?(.*)$/i.exec(url) ?? []
  if (!scheme) return [url]
  const standard = scheme.length === 'https://'.length ? ':443' : ':80'
  return [`${scheme}${user}${host}${rest}`, `${scheme}${user}${host}${port ?? standard}${rest}`]
}

/** With the characters encoded that a URL parser encodes, such as `'` in a query; `undefined` where it would make another path. */
function normalized(url: string): string | undefined {
  if (/^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?]|$))/i.test(url)) return undefined
  return URL.canParse(url) ? new URL(url).href : undefined
}

/** With a query as `querystring` of Node writes it again: grouped by name, and with `'` and some others as they are. */
function withDecodedQuery(url: string): string {
  const [, before, query] = /^([^?]*\?)(.+)$/.exec(url) ?? []
  if (!query) return url
  try {
    // An object, because that puts names that are whole numbers first, as there.
    const fields: Record<string, string[]> = Object.create(null)
    const pairs = query.split('&').filter(Boolean)
    if (pairs.length > MOST_PAIRS) return url
    for (const pair of pairs) {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', ' ')) ?? []
      const key = encodeURIComponent(decodeURIComponent(name))
      fields[key] ??= []
      fields[key].push(`${key}=${encodeURIComponent(decodeURIComponent(value))}`)
    }
    return `${before}${Object.values(fields).flat().join('&')}`
  } catch {
    // An escape that is none: a copy with U+FFFD in its place would have the signature of others.
    return url
  }
}
