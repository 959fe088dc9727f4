import type { RequestFault } from './delivery-request.ts'

/** A request that is refused, and the statuses that are right. */
export interface RefusedRequest {
  readonly name: string
  readonly fault: RequestFault
  readonly statuses: readonly number[]
}

const LIMIT = 1_048_576

/** A request for each reason of a refusal that a sender can cause, with a tolerance of 300 s and a limit of 1 MiB. */
export const refusedRequests: readonly RefusedRequest[] = [
  {
    name: 'another method',
    fault: { method: 'PUT' },
    // A router may have no such route.
    statuses: [405, 404],
  },
  unsigned('no signature', { 'X-Webhook-Signature': undefined }),
  unsigned('a malformed signature', { 'X-Webhook-Signature': 'sha256=00' }),
  unsigned('no timestamp', { 'X-Webhook-Timestamp': undefined }),
  unsigned('a wrong signature', { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` }),
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
  authentic('a body that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])),
  authentic('a body that is not JSON', Buffer.from('{')),
  authentic('a body that is nested too deep', Buffer.from('['.repeat(100) + ']'.repeat(100))),
  authentic('a body that is not a delivery', Buffer.from('{}')),
  authentic('an empty body', Buffer.alloc(0)),
]

function unsigned(
  name: string,
  headers: Readonly<Record<string, string | undefined>>,
): RefusedRequest {
  return { name, fault: { headers }, statuses: [401] }
}

function authentic(name: string, body: Buffer): RefusedRequest {
  return { name, fault: { body }, statuses: [400] }
}

function chunked(content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
}
