import type { RequestHead, Scheme } from '@webhook-receiver/core'
import type { Candidates, KeyCandidate, Part } from './attempts.ts'
import { type DerivedSecret, derivedSecrets } from './derived-secrets.ts'
import type { SearchInput } from './investigation.ts'
import type { Pace } from './pace.ts'
import type { ReadableHeads } from './request-forms.ts'
import { createSpend, MAC_COST, type Search } from './search.ts'
import { SERVICE_SECRET_FORMS } from './secret-forms.ts'

/** How many other heads are tried together with another cause. */
const MOST_PAIRS = 12

/** What a scheme verifies. */
export interface SignedMessage {
  readonly request: RequestHead
  readonly body: Uint8Array
}

/** What the attempts for another scheme than the contract are made from. */
export async function schemeCandidates(
  scheme: Scheme,
  input: SearchInput,
  { asSent, others }: ReadableHeads,
  pace: Pace,
): Promise<Candidates<unknown, SignedMessage>> {
  const messages = (heads: readonly Part<RequestHead>[], body: Uint8Array) =>
    heads.map(({ value: request, ...part }) => ({ ...part, value: { request, body } }))
  const given = input.secrets.map(([secretName, source]) => ({ source, secretName }))
  return {
    given: await keysOf(scheme, given, pace),
    derived: await keysOf(scheme, derivedSecrets(input, SERVICE_SECRET_FORMS), pace),
    body: input.body,
    tryBodyForms: input.tryBodyForms,
    plain: (body) => messages(asSent, body),
    others: (body, pairs) => messages(pairs ? others.slice(0, MOST_PAIRS) : others, body),
  }
}

/** Verifies by the scheme, which may parse the body for it. */
export function createSchemeSearch(scheme: Scheme, pace: Pace): Search<unknown, SignedMessage> {
  // A public key takes longer than a MAC.
  const spend = createSpend(pace, scheme.importBytes ? 2 * MAC_COST : 20 * MAC_COST, 20)
  return {
    spend,
    async match(key, { request, body }) {
      await spend(body.length * signaturesIn(scheme, request))
      return (await verifies(scheme, key, { request, body })) ? {} : undefined
    },
  }
}

/** False also where the scheme cannot tell: it may have to fetch a certificate that the request names. */
export async function verifies(
  scheme: Scheme,
  key: unknown,
  { request, body }: SignedMessage,
): Promise<boolean> {
  try {
    return await scheme.verify(key, scheme.readHead(request), body)
  } catch {
    return false
  }
}

/** At most: each signature of a header is computed. */
function signaturesIn({ headers }: Scheme, { header }: RequestHead): number {
  return Math.max(
    1,
    ...headers.map((name) => Math.min(10, header(name)?.split(/[,; ]/).length ?? 0)),
  )
}

type Source = Pick<DerivedSecret, 'source' | 'secretName'> & Partial<Pick<DerivedSecret, 'cause'>>

async function keysOf(
  scheme: Scheme,
  sources: Iterable<Source>,
  pace: Pace,
): Promise<readonly KeyCandidate<unknown>[]> {
  const keys: KeyCandidate<unknown>[] = []
  const seen = new Set<string>()
  for (const { source, cause, secretName } of sources) {
    if (typeof source === 'string') {
      if (seen.has(source)) continue
      seen.add(source)
    }
    await pace(MAC_COST)
    const key = await importKey(scheme, source)
    if (key !== undefined) keys.push({ key, secretName, ...(cause && { assumption: { cause } }) })
  }
  return keys
}

/** `undefined` where the scheme has no such key. */
export async function importKey(scheme: Scheme, source: Source['source']): Promise<unknown> {
  try {
    return typeof source === 'string'
      ? await scheme.importKey(source, 'The secret')
      : await scheme.importBytes?.(source)
  } catch {
    return undefined
  }
}
