import type { Scheme } from '@webhook-receiver/core'
import { CONTRACT_HEADERS, contract, SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { type Header, headerValue } from '@webhook-receiver/emulator/internal'
import { allSchemes } from '../options/index.ts'

/** The schemes of the services that may have sent a request whose signature is not where `scheme` has it; none where its headers do not say. */
export async function otherServices(
  headers: readonly Header[],
  scheme: Pick<Scheme, 'name'>,
): Promise<readonly Scheme[]> {
  const named = headers.flatMap(
    ([name]) => SIGNATURE_HEADERS[name.toLowerCase()]?.split(/, | or /) ?? [],
  )
  if (named.length === 0) {
    const isDefault =
      scheme.name !== contract.name && headerValue(headers, CONTRACT_HEADERS.signature)
    return isDefault ? [contract] : []
  }
  const possible = (await allSchemes()).flatMap(({ exported, scheme: other }) =>
    named.includes(exported) ? [other] : [],
  )
  // Meta signs as GitHub does, and only GitHub has its other headers.
  const sure = possible.filter(({ requests: { recognised = {} } = {} }) =>
    Object.entries(recognised).some(([name, begins]) =>
      headerValue(headers, name)?.startsWith(begins),
    ),
  )
  const found = sure.length > 0 ? sure : possible
  return found.filter(({ name }) => name !== scheme.name)
}
