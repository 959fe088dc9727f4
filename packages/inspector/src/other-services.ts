import type { Scheme } from '@webhook-receiver/core'
import { CONTRACT_HEADERS, contract, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { type Header, headerValue } from '@webhook-receiver/emulator/internal'

/** The name of the service for people. */
export function titleOf({ title, events, name }: Scheme): string {
  return title ?? (events ? 'the default format' : name)
}

/** @example 'GitHub or Meta, not Stripe' */
export function guessOf(others: readonly Scheme[], scheme: Scheme): string {
  return `${eitherOf(others.map(titleOf))}, not ${titleOf(scheme)}`
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
