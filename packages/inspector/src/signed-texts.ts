import type { HeaderLookup, Scheme } from '@webhook-receiver/core'
import type { DefinedScheme } from '@webhook-receiver/schemes'
import { type SchemeValue, schemeValueOf } from '@webhook-receiver/schemes/neighbours'

/** A scheme, whether it is made from a value or not. */
export type AnyScheme = Scheme & Partial<Pick<DefinedScheme, 'ambiguous'>>

/** A part of what is signed. */
export interface SignedText {
  /** Such as `timestamp` or `body`, or the name of a header; empty for what is the same in every request. */
  readonly part: string
  /** `undefined` where the request does not have it. */
  readonly text: string | undefined
}

export interface SignedRequestFacts {
  readonly header: HeaderLookup
  readonly url: string
  readonly body: Uint8Array
  readonly timestamp: string | undefined
}

type Part = SchemeValue['signed'][number]

/** What is signed of a request, in its order. Without a value, what a delivery holds. */
export function signedTexts(
  scheme: AnyScheme,
  { header, url, body, timestamp }: SignedRequestFacts,
): readonly SignedText[] {
  const value = schemeValueOf(scheme)
  if (!value) {
    const head = scheme.readHead({ method: 'POST', header, url })
    const { data } = scheme.readBody(body, new Set(), head)
    return [{ part: 'data', text: JSON.stringify(data, null, 2) }]
  }
  const firstOf = (names: string | readonly string[]) =>
    [names].flat().flatMap((name) => header(name) || [])[0]
  const at = value.timestamp?.at
  const bytes = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const texts = {
    timestamp: timestamp ?? (at && 'header' in at ? firstOf(at.header) : undefined),
    url,
    body: bytes,
    form: [...new URLSearchParams(bytes)].sort(byName).flat().join(''),
  }
  return value.signed.map((part: Part) => {
    if (typeof part === 'string') return { part, text: texts[part] }
    if ('text' in part) return { part: '', text: part.text }
    return { part: `${part.header}`, text: firstOf(part.header) }
  })
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other)
}
