import type { Header } from '@webhook-receiver/emulator/internal'
import {
  namesOf,
  otherDigest,
  type SchemeValue,
  schemeValueOf,
  withDigests,
} from '@webhook-receiver/schemes/neighbours'
import type { ProbeSettings, Variant } from '../request.ts'
import { withoutTimestamp } from './timestamp.ts'

/** A change of the headers of a request: without those with one of these names. */
export function without(
  names: (settings: Pick<ProbeSettings, 'scheme'>) => readonly string[],
): NonNullable<Variant['change']> {
  return ({ headers }, settings) => {
    const left = names(settings)
    return { headers: headers.filter(([name]) => !left.includes(name.toLowerCase())) }
  }
}

/** Many servers take 8 kB of headers: so many of the longest signature fit into that. */
const MOST_HEADERS = 16

/**
 * Requests with the same text under the names of other services, as a receiver of several services may look for it. Each has some of the
 * names.
 */
export const IN_OTHER_HEADERS: readonly Variant[] = [0, 1, 2, 3, 4].map((part) => ({
  change: ({ headers }, { scheme, otherHeaders }) => {
    const value = schemeValueOf(scheme)
    const own = value ? namesOf(value.signature) : []
    const isOwn = ([name]: Header) => own.includes(name.toLowerCase())
    const [, text = ''] = headers.find(isOwn) ?? []
    const others = otherHeaders.filter((name) => !own.includes(name))
    const renamed = others
      .slice(part * MOST_HEADERS, (part + 1) * MOST_HEADERS)
      .map((name) => [name, text] as const)
    return { headers: [...headers.filter((one) => !isOwn(one)), ...renamed] }
  },
}))

/** A change of a request: without what is signed beside the body, and with the signature. */
export const signatureAlone: NonNullable<Variant['change']> = (request, settings) => {
  const value = schemeValueOf(settings.scheme)
  const kept = value ? namesOf(value.signature) : []
  const others = without(({ scheme }) => scheme.headers.filter((name) => !kept.includes(name)))
  return others({ ...request, ...withoutTimestamp(request, settings) }, settings)
}

/** A change of the header with the signature, in which several may stand: another one of the same form in front of it, or behind it. */
export function signaturesBeside(where: 'in front' | 'behind'): NonNullable<Variant['change']> {
  return ({ headers }, { scheme }) => {
    const value = schemeValueOf(scheme)
    const { separator = '' } = value?.signature ?? {}
    if (!value) return {}
    const doubled = (text: string) =>
      text
        .split(separator)
        .flatMap((token) => {
          const other = withOtherDigests(value, token)
          if (other === token) return [token]
          return where === 'behind' ? [token, other] : [other, token]
        })
        .join(separator)
    return { headers: changed(headers, value, doubled) }
  }
}

/** A change of the request: the header of the signature once more, with another one of the same form. */
export function inTwoHeaders(where: 'in front' | 'behind'): NonNullable<Variant['change']> {
  return ({ headers }, { scheme }) => {
    const value = schemeValueOf(scheme)
    if (!value) return {}
    const wrong = headers
      .filter(([name]) => namesOf(value.signature).includes(name.toLowerCase()))
      .map(([name, text]) => [name, withOtherDigests(value, text)] as const)
    return { headers: where === 'in front' ? [...wrong, ...headers] : [...headers, ...wrong] }
  }
}

/** A change of each signature in the header. */
export function signedAs(
  change: (digest: string, value: SchemeValue) => string,
): NonNullable<Variant['change']> {
  return ({ headers }, { scheme }) => {
    const value = schemeValueOf(scheme)
    if (!value) return {}
    return {
      headers: changed(headers, value, (text) =>
        withDigests(value, text, (digest) => change(digest, value)),
      ),
    }
  }
}

function changed(
  headers: readonly Header[],
  { signature }: SchemeValue,
  change: (text: string) => string,
): readonly Header[] {
  return headers.map(([name, text]) =>
    namesOf(signature).includes(name.toLowerCase()) ? [name, change(text)] : [name, text],
  )
}

function withOtherDigests(value: SchemeValue, text: string): string {
  return withDigests(value, text, (digest) => otherDigest(value, digest))
}
