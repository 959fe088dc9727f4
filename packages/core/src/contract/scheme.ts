import { mac } from '#mac'
import { processWide } from '../copies/process-wide.ts'
import { parseJson } from '../parse/json.ts'
import type { MacKey } from '../verify/mac.ts'
import type { Scheme } from '../verify/scheme.ts'
import { type Envelope, readEnvelope } from './envelope.ts'
import { type ContractKind, EVENTS } from './event.ts'
import { type ContractHead, ID, readHead, SIGNATURE, TIMESTAMP } from './head.ts'
import { readTime, readTimestamp } from './timestamp.ts'

/** The default scheme: HMAC-SHA256 over the timestamp, a dot and the body (contract, section 5). */
export const contract: Scheme<MacKey, ContractKind> = {
  name: 'contract',
  headers: [ID, TIMESTAMP, SIGNATURE],
  idHeader: ID,
  events: EVENTS,
  hasId: true,
  hasEvent: true,
  tolerance: 300,
  importKey(secret, label) {
    if (!warned.prefix && !secret.startsWith('whsec_')) {
      warned.prefix = true
      console.warn(
        `[webhook-receiver] ${label} does not begin with "whsec_". Was it cut off? The whole string is the key.`,
      )
    }
    return mac.importKey(new TextEncoder().encode(secret))
  },
  readHead,
  // The MAC covers the timestamp as sent and the body as received, and nothing decoded.
  verify: (key, { timestamp, signature }: ContractHead, body) =>
    mac.verify(key, `${timestamp}.`, body, signature),
  readTime: ({ timestamp }: ContractHead) => readTime(timestamp),
  readBody(body, events) {
    // The parsed body has no other owner, so it is changed in place: a copy would cost time for every delivery.
    const envelope = readEnvelope(parseJson(body))
    return Object.assign(envelope, { known: events.has(envelope.event) })
  },
  contentOf: (delivery) => dataOf(delivery).data,
  replaceContent(delivery, content) {
    dataOf(delivery).data = content
  },
  claimedTime: (header) => readTimestamp(header(TIMESTAMP) ?? ''),
}

const warned = processWide('warned', () => ({ prefix: false }))

/** What `readBody` returned has the whole envelope. */
function dataOf(delivery: object): Envelope['data'] {
  return (delivery as Envelope).data
}
