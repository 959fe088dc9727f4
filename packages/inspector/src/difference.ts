import type { SignedRequest } from '@webhook-receiver/diagnose/internal'
import {
  type AnyScheme,
  type SignedRequestFacts,
  type SignedText,
  signedTexts,
} from './signed-texts.ts'

/** Where two texts part, with what stands around it. Both begin with `before`. */
export interface Difference {
  /** The header in which they are; `undefined` for what is signed. */
  readonly where?: string | undefined
  /** How many bytes of UTF-8 are equal in front of it. */
  readonly at: number
  readonly before: string
  readonly sent: string
  readonly here: string
}

/** Where what the sender signed differs from what is verified here, or else a header of the two; `undefined` where neither does. */
export function partingOf(
  scheme: AnyScheme,
  facts: SignedRequestFacts,
  { scheme: by, request: { header, url = '' }, body }: SignedRequest,
): Difference | undefined {
  const texts = signedTexts(scheme, facts)
  const theirs = signedTexts(by, { header, url, body, timestamp: undefined })
  const inSigned = differenceOf(textOf(theirs), textOf(texts))
  if (inSigned) return inSigned
  const where = scheme.headers.find((name) => header(name) !== facts.header(name))
  const found = where && differenceOf(header(where) ?? '', facts.header(where) ?? '')
  return found ? { ...found, where } : undefined
}

/** How many characters are shown on each side. */
const AROUND = 24

export function differenceOf(sent: string, here: string): Difference | undefined {
  const [theirs, ours] = [Array.from(sent), Array.from(here)]
  let at = 0
  while (at < theirs.length && theirs[at] === ours[at]) at++
  if (at === theirs.length && at === ours.length) return undefined
  const from = Math.max(0, at - AROUND)
  const shown = (characters: readonly string[]) =>
    visible(characters.slice(at, at + AROUND)) + (characters.length > at + AROUND ? '…' : '')
  return {
    at: new TextEncoder().encode(theirs.slice(0, at).join('')).length,
    before: (from > 0 ? '…' : '') + visible(theirs.slice(from, at)),
    sent: shown(theirs),
    here: shown(ours),
  }
}

function textOf(parts: readonly SignedText[]): string {
  return parts.map(({ text = '' }) => text).join('')
}

/** One visible character for each: a line break is the usual difference. */
function visible(characters: readonly string[]): string {
  return characters
    .map((each) => SIGNS[each] ?? each.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, '¤'))
    .join('')
}

const SIGNS: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '→', '\uFEFF': '◆' }
