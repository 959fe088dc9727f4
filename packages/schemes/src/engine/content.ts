import type { HeaderLookup } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/internal'
import type { Part, SchemeValue } from '../value.ts'
import { isBeforeBody, isHeader, isText } from './coverage.ts'
import { joined, latin1 } from './encoding.ts'
import type { Form, Forms } from './form.ts'
import type { Content } from './method.ts'
import { headerAt, namesOf } from './place.ts'
import type { Urls } from './urls.ts'

/** The signed text before and behind the body: all that the head of a request decides. Its characters are bytes (Latin-1). */
interface Around {
  /** The spelling of the URL in it. */
  readonly url: string
  readonly before: string
  readonly after: string
}

interface HeadParts {
  readonly header: HeaderLookup
  readonly timestamp: string
  readonly url: string
  /** Whether that is the URL that was registered, whatever a request names. */
  readonly isRegistered: boolean
}

/** Puts the signed text around the body of a request together. */
export type ContentReader = (head: HeadParts) => SignedContent

/**
 * Makes the function that puts the signed text around the body together: once for a request, or once for each spelling of its URL.
 *
 * Text is put one behind the other and never replaced in a template: a body may hold `$&`.
 *
 * @throws WebhookError (401) for a header that is missing, or that would hide where the next part begins.
 */
export function contentReader(
  { signed, urlSpellings, urlDecoded, bodyDigest }: SchemeValue,
  urls: Urls | undefined,
): ContentReader {
  const readers = signed.map((part, at) => readerOf(part, signed[at - 1], signed.slice(at)))
  const body = signed.findIndex((part) => part === 'body' || part === 'form')
  const before = readers.slice(0, body)
  const after = readers.slice(body + 1)
  const around = (head: HeadParts) => ({
    url: head.url,
    before: textOf(before, head),
    after: textOf(after, head),
  })
  const spellingsOf = ({ url, isRegistered }: HeadParts): readonly string[] => {
    if (urlSpellings) return urls?.spellings(url) ?? [url]
    const decoded = urlDecoded ? urls?.decoded(url, urlDecoded, isRegistered) : undefined
    return decoded === undefined || decoded === url ? [url] : [decoded, url]
  }
  if (!urlSpellings && !urlDecoded && !bodyDigest) {
    return (head) => ({ around: [around(head)], digest: undefined })
  }
  const digestIn = bodyDigest && urls?.digestReader(bodyDigest)
  const spelled = (head: HeadParts) => {
    const digest = digestIn?.(head.url)
    // In another order of its parameters, a text of a stranger could become the last one; decoded, a URL can hold a form.
    const same = spellingsOf(head).filter((url) => digestIn?.(url) === digest)
    return { url: head.url, isRegistered: head.isRegistered, same, digest }
  }
  // Most receivers have one URL, and to spell it takes longer than all else.
  let last: ReturnType<typeof spelled> | undefined
  return (head) => {
    if (last?.url !== head.url || last.isRegistered !== head.isRegistered) last = spelled(head)
    return { around: last.same.map((url) => around({ ...head, url })), digest: last.digest }
  }
}

type Reader = (head: HeadParts) => string

function textOf(readers: readonly Reader[], head: HeadParts): string {
  let text = ''
  for (const read of readers) text += read(head)
  return text
}

/**
 * What is signed for this body, by the spelling of the URL.
 *
 * @throws WebhookError (401) if the body cannot be what was signed.
 */
export function contentsOf(
  value: SchemeValue,
  head: SignedContent,
  body: Uint8Array,
  forms: Forms | undefined,
): readonly Content[] {
  const rest = value.signed.includes('form') ? formBytes(value, head, body, forms) : body
  if (!rest) throw forms?.unsigned(value)
  return head.around.map(({ before, after }) => ({
    prefix: before,
    rest: after === '' ? rest : joined(rest, latin1(after)),
  }))
}

/** What the head of a request says of what is signed. */
export interface SignedContent {
  readonly around: readonly Around[]
  /** The SHA-256 of the body that the URL names: it stands for the form. */
  readonly digest: string | undefined
  /** The spelling of the URL that was signed. */
  url?: string | undefined
  /** The fields that were signed. One body is parsed once: what was verified is what handlers get. */
  form?: Form | undefined
}

function formBytes(
  value: SchemeValue,
  head: SignedContent,
  body: Uint8Array,
  forms: Forms | undefined,
): Uint8Array | undefined {
  if (head.digest !== undefined) return new Uint8Array()
  head.form ??= forms?.signed(value, body)
  return head.form && forms?.bytes(head.form)
}

function readerOf(part: Part, before: Part | undefined, rest: readonly Part[]): Reader {
  const [, after] = rest
  if (isText(part)) return () => part.text
  if (part === 'timestamp') return ({ timestamp }) => timestamp
  if (part === 'url') return ({ url }) => checkedUrl(url, isBeforeBody(rest))
  if (!isHeader(part)) return () => ''
  const name = namesOf(part).join(' or ')
  const beside = [edge(before, -1), edge(after, 0), isBeforeBody(rest) ? '{[' : ''].join('')
  return ({ header }) => {
    const value = headerAt(part, header)
    if (!value) throw rejection('timestamp_missing', { header: name })
    if (/^[!-~]+$/.test(value) && ![...beside].some((edge) => value.includes(edge))) return value
    throw unsignable(name, `visible ASCII without ${JSON.stringify(beside)}`)
  }
}

function unsignable(header: string, expected: string): Error {
  return rejection('signature_malformed', { header, expected, fault: 'has other characters' })
}

/** The character of a text that touches its neighbour. */
function edge(part: Part | undefined, at: number): string {
  return part !== undefined && isText(part) ? (part.text.at(at) ?? '') : ''
}

/** With a JSON body behind it, a URL must not have a character that such a body can begin with. */
function checkedUrl(url: string, beforeBody: boolean): string {
  const fine = beforeBody ? /^[^\s[{\x80-\uffff]*$/ : /^[^\s\x80-\uffff]*$/
  if (fine.test(url)) return url
  throw unsignable('The URL', 'percent-encoded')
}
