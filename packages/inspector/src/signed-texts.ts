import type { HeaderLookup, Scheme } from '@webhook-receiver/core'
import type { DefinedScheme, SchemeValue } from '@webhook-receiver/schemes'

/** A scheme, with its value if it is made from one. */
export type AnyScheme = Scheme & Partial<Pick<DefinedScheme, 'value' | 'ambiguous'>>

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

/** What a scheme with `places` signs. */
const OF_PLACES: readonly Part[] = ['timestamp', { text: '.' }, 'body']

/** What is signed of a request, in its order. Without a value, what a delivery holds. */
export function signedTexts(
  { value, places, readBody, readHead }: AnyScheme,
  { header, url, body, timestamp }: SignedRequestFacts,
): readonly SignedText[] {
  const parts = value?.signed ?? (places && OF_PLACES)
  if (!parts) {
    const { data } = readBody(body, new Set(), readHead({ method: 'POST', header, url }))
    return [{ part: 'data', text: JSON.stringify(data, null, 2) }]
  }
  const firstOf = (names: string | readonly string[]) =>
    [names].flat().flatMap((name) => header(name) || [])[0]
  const at = value?.timestamp?.at ?? (places && { header: places.timestamp })
  const bytes = Buffer.from(body).toString()
  const texts = {
    timestamp: timestamp ?? (at && 'header' in at ? firstOf(at.header) : undefined),
    url,
    body: bytes,
    form: [...new URLSearchParams(bytes)].sort(byName).flat().join(''),
  }
  return parts.map((part) => {
    if (typeof part === 'string') return { part, text: texts[part] }
    if ('text' in part) return { part: '', text: part.text }
    return { part: `${part.header}`, text: firstOf(part.header) }
  })
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other)
}
