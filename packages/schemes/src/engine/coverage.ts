import type { SignedPart } from '@webhook-receiver/core'
import type { HeaderPlace, Part, Place, SchemeValue } from '../value.ts'
import { namesOf } from './place.ts'

/** What a signature is worth, computed from what is signed. */
export interface Coverage {
  /** What can be changed without the signature becoming invalid. */
  readonly unsigned: readonly SignedPart[]
  /** Whether two different deliveries can have the same signed bytes, because nothing says where a part ends. */
  readonly ambiguous: boolean
}

export function coverageOf(value: SchemeValue): Coverage {
  const ambiguous = isAmbiguous(value)
  const bound = (part: Part) => !ambiguous && value.signed.some((signed) => same(signed, part))
  const body = bound('body')
  const covers = (place: Place) =>
    'pointer' in place
      ? body
      : 'header' in place && (bound(place) || (body && isOnlySignature(value, place)))
  // Where the parts can be cut differently, the URL can end anywhere.
  const target = !value.signed.includes('url') || !ambiguous
  const covered: Record<SignedPart, boolean> = {
    id: (value.id ?? []).every(covers),
    event: (value.event ?? []).every(covers),
    timestamp:
      !value.timestamp ||
      bound('timestamp') ||
      ('pointer' in value.timestamp.at && covers(value.timestamp.at)),
    body,
    path: target,
    query: target,
  }
  const all: readonly SignedPart[] = ['id', 'event', 'timestamp', 'body', 'path', 'query']
  return { unsigned: all.filter((part) => !covered[part]), ambiguous }
}

/** A MAC has one spelling, so that no other value of its header is accepted for the same body. */
function isOnlySignature({ signature, keys }: SchemeValue, place: HeaderPlace): boolean {
  return (
    sameHeader(signature, place) &&
    signature.separator === undefined &&
    keys.every(({ algorithm }) => algorithm.startsWith('hmac'))
  )
}

function same(left: Part, right: Part): boolean {
  return isHeader(left) ? sameHeader(left, right) : left === right
}

/** Whether two places are one header, with the same names. */
export function sameHeader(left: HeaderPlace, right: Part | Place | undefined): boolean {
  return isHeader(right) && `${namesOf(left)}` === `${namesOf(right)}`
}

/**
 * Whether the parts can be cut differently. Reading from both ends, each part has to have a fixed width or to end at something
 * that it does not contain; one part may take what is left.
 */
function isAmbiguous({ signed, body = 'json' }: SchemeValue): boolean {
  // Names and values follow each other with nothing in between.
  if (signed.includes('form')) return true
  const first = signed.findIndex(
    (part, at) =>
      !(body === 'json' && isBeforeBody(signed.slice(at))) &&
      !isDelimited(part, signed[at + 1], body),
  )
  return (
    first >= 0 &&
    !signed.every((part, at) => at <= first || isDelimited(part, signed[at - 1], body))
  )
}

/** A URL in front of a body, or a header in front of the timestamp of one: with a character that JSON can begin with, it is rejected. */
export function isBeforeBody([part, next, last]: readonly (Part | undefined)[]): boolean {
  return part === 'url'
    ? next === 'body'
    : isHeader(part) && next === 'timestamp' && last === 'body'
}

/** Whether it is known where a part ends that has `neighbour` beside it. */
function isDelimited(part: Part, neighbour: Part | undefined, body: SchemeValue['body']): boolean {
  if (part === 'timestamp' || isText(part)) return true
  if (body !== 'json' || neighbour === undefined) return false
  // No object or array of JSON is the beginning of another one, but for white space, which no URL has.
  if (part === 'url') return neighbour === 'body'
  // A header with the text beside it in its value is rejected. What is cut off such a header can be the beginning of a form, but not of JSON.
  return isHeader(part) && isText(neighbour)
}

export function isText(part: Part): part is Extract<Part, { readonly text: string }> {
  return typeof part === 'object' && 'text' in part
}

export function isHeader(part: Part | Place | undefined): part is HeaderPlace {
  return typeof part === 'object' && 'header' in part
}
