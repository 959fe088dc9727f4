import { mac } from '#mac'
import { parseJson } from '../parse/json.ts'
import type { MacKey } from '../verify/mac.ts'
import type { ParsedDelivery, Scheme } from '../verify/scheme.ts'
import { type Envelope, readEnvelope } from './envelope.ts'
import { type ContractKind, EVENTS } from './event.ts'
import { type ContractHead, ID, readHead, SIGNATURE, TIMESTAMP } from './head.ts'
import { readTime, readTimestamp } from './timestamp.ts'

/** The default scheme: HMAC-SHA256 over the timestamp, a dot and the body (contract, section 5). */
export const contract: Scheme<MacKey, ContractKind> = {
  name: 'contract',
  endpoint: 'default',
  headers: [ID, TIMESTAMP, SIGNATURE],
  idHeader: ID,
  events: EVENTS,
  hasId: true,
  hasEvent: true,
  tolerance: 300,
  secret: { called: 'the secret of the webhook', begins: 'whsec_' },
  readsIncoming: true,
  importKey: (secret) => mac.importKey(new TextEncoder().encode(secret)),
  readHead,
  // The MAC covers the timestamp as sent and the body as received, and nothing decoded.
  verify: (key, { timestamp, signature }: ContractHead, body) =>
    mac.verify(key, `${timestamp}.`, body, signature),
  readTime: ({ timestamp }: ContractHead) => readTime(timestamp),
  readBody: (body, events) => withKnown(readEnvelope(parseJson(body)), events),
  isDelivery: ({ known }) => typeof known === 'boolean',
  restore: (stored, events, isMade) => withKnown(readEnvelope(stored, isMade), events),
  contentAt: 'data.data',
  claimedTime: (header) => readTimestamp(header(TIMESTAMP) ?? ''),
}

/** Whether this is the default scheme, also with what only tools need. */
export function isContract(scheme: Pick<Scheme, 'name'>): boolean {
  return scheme.name === contract.name
}

/** The parsed body has no other owner, so it is changed in place: a copy would cost time for every delivery. */
function withKnown(envelope: Envelope, events: ReadonlySet<string>): ParsedDelivery {
  envelope.known = events.has(envelope.event)
  return envelope as object as ParsedDelivery
}
