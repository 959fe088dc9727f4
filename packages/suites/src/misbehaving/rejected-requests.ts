import type { RequestFault } from '@webhook-receiver/conformance/internal'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/internal'

/** A request that is rejected, and the statuses that are right. */
export interface RejectedRequest {
  readonly name: string
  readonly fault: RequestFault
  readonly statuses: readonly number[]
}

const { signature, timestamp } = CONTRACT_HEADERS

const LIMIT = 1_048_576

/** A request for each reason of a rejection that a sender can cause, with a tolerance of 300 s and a limit of 1 MiB. */
export const rejectedRequests: readonly RejectedRequest[] = [
  {
    name: 'another method',
    fault: { method: 'PUT' },
    // A router may have no such route.
    statuses: [405, 404],
  },
  unsigned('no signature', { [signature]: undefined }),
  unsigned('a malformed signature', { [signature]: 'sha256=00' }),
  unsigned('no timestamp', { [timestamp]: undefined }),
  unsigned('a wrong signature', { [signature]: `sha256=${'0'.repeat(64)}` }),
  { name: 'a content coding', fault: { headers: { 'Content-Encoding': 'gzip' } }, statuses: [415] },
  {
    name: 'a body over the limit that is announced',
    fault: { sent: Buffer.alloc(LIMIT + 1, 'x') },
    statuses: [413],
  },
  {
    name: 'a body over the limit in chunks',
    fault: {
      headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      sent: chunked(Buffer.alloc(LIMIT + 1, 'x')),
    },
    statuses: [413],
  },
  { name: 'a timestamp that is too old', fault: { skew: -400 }, statuses: [401] },
  { name: 'a timestamp in the future', fault: { skew: 400 }, statuses: [401] },
  { name: 'an unreadable timestamp', fault: { timestamp: 'yesterday' }, statuses: [401] },
  verified('a body that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])),
  verified('a body that is not JSON', Buffer.from('{')),
  verified('a body that is nested too deep', Buffer.from('['.repeat(100) + ']'.repeat(100))),
  verified('a body that is not a delivery', Buffer.from('{}')),
  verified('an empty body', Buffer.alloc(0)),
]

function unsigned(
  name: string,
  headers: Readonly<Record<string, string | undefined>>,
): RejectedRequest {
  return { name, fault: { headers }, statuses: [401] }
}

function verified(name: string, body: Buffer): RejectedRequest {
  return { name, fault: { body }, statuses: [400] }
}

function chunked(content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
}
