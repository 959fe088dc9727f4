import type { HeaderLookup, RequestHead } from '@webhook-receiver/core'
import type { Cause } from './finding.ts'

/** A request, and the headers that its scheme reads. */
export interface SignedRequest extends RequestHead {
  readonly names: readonly string[]
  /** Those of them whose changes have no names of their own. */
  readonly others: readonly string[]
  /** The other headers of the request, as far as they are known. */
  readonly foreign: readonly string[]
}

/** A request that may have been signed in place of the one that came. */
interface RequestVariant {
  /** Which form it is, where the cause has several. */
  readonly name: string
  readonly request: RequestHead
}

/** A way in which the head of the request that was signed differs from the one that came. */
export interface RequestForm extends Cause {
  variants(request: SignedRequest): readonly RequestVariant[]
}

export const HEADER_FORMS: readonly RequestForm[] = [
  {
    code: 'header_secondary',
    what: 'matches with {form}',
    fix: 'The secret is the secondary key: pass the primary one.',
    variants: (request) => request.names.flatMap((name) => inPlace(request, name, secondary(name))),
  },
  {
    code: 'header_renamed',
    pairs: true,
    what: 'matches with {form}',
    fix: 'Make the sender, and every proxy, send the header under its own name.',
    variants: (request) =>
      request.names.flatMap((name) =>
        request.header(name)
          ? []
          : inPlace(request, name, ...otherNames(name), ...chosenNames(name, request)),
      ),
  },
  {
    code: 'header_changed',
    pairs: true,
    what: 'matches with {form}',
    fix: 'Make the sender write the header as the service does, and every proxy pass it on unchanged.',
    variants: (request) =>
      changed(request, (value) => [
        ...value.split(/, */).map((one) => ['one of several values', one] as const),
        [
          'no white space or quotes',
          value
            .trim()
            .replace(/^(["'])(.*)\1$/, '$2')
            .trim(),
        ],
      ]),
  },
]

/** The request with what a header of another name has. */
function inPlace(
  request: SignedRequest,
  name: string,
  ...others: readonly string[]
): readonly RequestVariant[] {
  return [...new Set(others)].flatMap((other) => {
    const value = other !== name && request.header(other)
    return value
      ? [{ name: `${other} in place of ${name}`, request: withHeader(request, name, value) }]
      : []
  })
}

/** The header of the signature by the other of two keys, where a service has two. */
function secondary(name: string): string {
  return name.replace('primary', 'secondary')
}

function changed(
  request: SignedRequest,
  change: (value: string) => readonly (readonly [form: string, value: string])[],
): readonly RequestVariant[] {
  return request.others.flatMap((name) => {
    const value = request.header(name)
    if (!value) return []
    return change(value)
      .filter(([, other]) => other !== value && other !== '')
      .map(([form, other]) => ({
        name: `${form} in ${name}`,
        request: withHeader(request, name, other),
      }))
  })
}

export function withHeader(request: RequestHead, name: string, value: string): RequestHead {
  const header: HeaderLookup = (wanted) =>
    wanted.toLowerCase() === name ? value : request.header(wanted)
  return { ...request, header }
}

/** What a sender may have called the header of the signature, or of the time: anything can be an id. */
function chosenNames(name: string, { others, foreign }: SignedRequest): readonly string[] {
  if (others.includes(name)) return []
  return /time|date/.test(name) ? foreign.filter((other) => /time|date/.test(other)) : foreign
}

/** How proxies and gateways rename a header. */
function otherNames(name: string): readonly string[] {
  const bare = name.replace(/^x-/, '')
  const low = name.replaceAll('-', '_')
  return [
    ...(bare === name ? [`x-${name}`] : [bare]),
    ...['x-original-', 'x-forwarded-'].flatMap((start) => [start + name, start + bare]),
    `x-amzn-remapped-${name}`,
    low,
    `http_${low}`,
  ].filter((other) => other !== name)
}
