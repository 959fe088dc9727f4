import type { Scheme } from '@webhook-receiver/core'
import { CONTRACT_HEADERS, contract, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { type Header, headerValue } from '@webhook-receiver/emulator/internal'

/** The name of the service for people. */
export function titleOf({ title, events, name }: Scheme): string {
  return title ?? (events ? 'the default format' : name)
}

/** More services than these are counted. */
const NAMED = 3

/** What a request seems to be that may be of one of these services, and by which of their schemes it can be verified: none where nobody could say. */
export function guessOf(
  others: readonly Scheme[],
  scheme: Scheme,
): { readonly said: string; readonly names: readonly string[] } {
  const titles = [...new Set(others.map(titleOf))]
  const names = [...new Set(others.map(({ name }) => name))]
  if (titles.length <= NAMED) {
    return { said: `looks like ${eitherOf(titles)}, not ${titleOf(scheme)}`, names }
  }
  const shared = others[0]?.headers.find((header) =>
    others.every(({ headers }) => header in SIGNATURE_HEADERS && headers.includes(header)),
  )
  const said = shared
    ? `has ${shared}, which ${titles.length} services send`
    : `has signature headers of ${titles.length} services, which no service sends`
  return { said, names: shared ? ['NAME'] : [] }
}

/** @example 'one, two or three' */
export function eitherOf(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

/** The schemes of the services that may have sent a request which is not signed as `scheme` says; none where it may be its own, or its headers do not say. */
export async function otherServices(
  headers: readonly Header[],
  scheme: Scheme,
): Promise<readonly Scheme[]> {
  const named = headers.flatMap(
    ([name]) => SIGNATURE_HEADERS[name.toLowerCase()]?.split(/, | or /) ?? [],
  )
  if (named.length === 0) {
    const isDefault =
      scheme.name !== contract.name && headerValue(headers, CONTRACT_HEADERS.signature)
    return isDefault ? [contract] : []
  }
  const [services, { awsSns }] = await Promise.all([
    import('@webhook-receiver/schemes'),
    import('@webhook-receiver/schemes/aws-sns'),
  ])
  const schemes: Readonly<Record<string, unknown>> = { ...services, awsSns: awsSns() }
  const possible = named.map((name) => schemes[name]).filter(isScheme)
  // Meta signs as GitHub does, and only GitHub has its other headers.
  const sure = possible.filter(({ requests: { recognised = {} } = {} }) =>
    Object.entries(recognised).some(([name, begins]) =>
      headerValue(headers, name)?.startsWith(begins),
    ),
  )
  const found = sure.length > 0 ? sure : possible
  return found.some(({ name }) => name === scheme.name) ? [] : found
}

function isScheme(value: unknown): value is Scheme {
  return typeof value === 'object' && value !== null && 'readHead' in value
}
