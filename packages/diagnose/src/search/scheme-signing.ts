import type { RequestHead, Scheme } from '@webhook-receiver/core'
import type { KeySource } from '../forms/secret-forms.ts'
import type { Pace } from '../text/pace.ts'
import type { ReadableHeads } from './heads.ts'
import type { Part, Signing } from './signing.ts'
import { createSpend, MAC_COST } from './spend.ts'

/** How many other heads are tried together with another cause. */
const MOST_PAIRS = 12

/** What a scheme verifies. */
interface SignedRequest {
  readonly request: RequestHead
  readonly body: Uint8Array
}

/** Each attempt is verified by the scheme itself, so that what it signs is written down once. It may parse the body for it. */
export function schemeSigning(
  scheme: Scheme,
  { asSent, others }: ReadableHeads,
  pace: Pace,
): Signing<unknown, SignedRequest> {
  // A public key takes longer than a MAC.
  const spend = createSpend(pace, scheme.importBytes ? 2 * MAC_COST : 20 * MAC_COST, 20)
  const sources = new Set<KeySource>()
  const messages = (heads: readonly Part<RequestHead>[], body: Uint8Array) =>
    heads.map(({ value: request, ...part }) => ({ ...part, value: { request, body } }))
  return {
    importKey(source) {
      if (sources.has(source)) return undefined
      sources.add(source)
      return importKey(scheme, source)
    },
    plain: (body) => messages(asSent, body),
    others: (body, pairs) => messages(pairs ? others.slice(0, MOST_PAIRS) : others, body),
    async match(key, message) {
      await spend(message.body.length * signaturesIn(scheme, message.request))
      return (await verifies(scheme, key, message)) ? {} : undefined
    },
  }
}

/** False also where the scheme cannot tell: it may have to fetch a certificate that the request names. */
export async function verifies(
  scheme: Scheme,
  key: unknown,
  { request, body }: SignedRequest,
): Promise<boolean> {
  try {
    return await scheme.verify(key, scheme.readHead(request), body)
  } catch {
    return false
  }
}

/** `undefined` where the scheme has no such key. */
export async function importKey(scheme: Scheme, source: KeySource): Promise<unknown> {
  try {
    return typeof source === 'string'
      ? await scheme.importKey(source, 'The secret')
      : await scheme.importBytes?.(source)
  } catch {
    return undefined
  }
}

/** At most: each signature of a header is computed. */
function signaturesIn({ headers }: Scheme, { header }: RequestHead): number {
  return Math.max(
    1,
    ...headers.map((name) => Math.min(10, header(name)?.split(/[,; ]/).length ?? 0)),
  )
}
