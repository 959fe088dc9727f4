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
    variants(request) {
      const missing = request.names.filter((name) => !request.header(name))
      return [
        ...renamedAlike(request, missing),
        ...missing.flatMap((name) => inPlace(request, name, ...chosenNames(name, request))),
      ]
    },
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

/** How proxies and gateways rename a header: each renames all of them in one way. */
const RENAMED: readonly ((name: string) => string)[] = [
  (name) => (bare(name) === name ? `x-${name}` : bare(name)),
  ...['x-original-', 'x-forwarded-'].flatMap((start) => [
    (name: string) => start + name,
    (name: string) => start + bare(name),
  ]),
  (name) => `x-amzn-remapped-${name}`,
  (name) => name.replaceAll('-', '_'),
  (name) => `http_${name.replaceAll('-', '_')}`,
]

function bare(name: string): string {
  return name.replace(/^x-/, '')
}

/** The request with what the missing headers have under other names, for each way to rename them. */
function renamedAlike(
  request: SignedRequest,
  missing: readonly string[],
): readonly RequestVariant[] {
  const variants = RENAMED.flatMap((rename) => {
    const names: string[] = []
    let found: RequestHead = request
    for (const name of missing) {
      const value = rename(name) !== name && request.header(rename(name))
      if (!value) continue
      names.push(`${rename(name)} in place of ${name}`)
      found = withHeader(found, name, value)
    }
    return names.length > 0 ? [[names.join(' and '), found] as const] : []
  })
  return Array.from(new Map(variants), ([name, found]) => ({ name, request: found }))
}
