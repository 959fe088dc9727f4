import { seededBelow } from '@webhook-receiver/checks/seeded.mjs'
import { reply, type WebhookReply } from '@webhook-receiver/core'

/** Replies that `reply` has made of whatever was drawn, and how many it has rejected. The same for the same seed. */
export function drawnReplies(seed: number): {
  readonly replies: readonly WebhookReply[]
  readonly rejected: number
} {
  const below = seededBelow(seed)
  const pick = <Item>(items: ArrayLike<Item>): Item => items[below(items.length)] as Item
  const text = (most: number, characters: string): string =>
    Array.from({ length: below(most) }, () => pick(characters)).join('')
  const name = () => pick([pick(NAMES), pick(NAMES).toUpperCase(), text(8, TOKEN), text(8, ALL)])
  const value = () => pick([pick(TYPES), text(24, VALUE), text(24, VALUE), text(24, ALL)])
  const replies: WebhookReply[] = []
  let rejected = 0
  while (replies.length < 100) {
    const headers = Array.from({ length: below(4) }, () => [name(), value()])
    const body = pick([...BODIES, text(200, ALL)])
    const status = pick([pick(STATUSES), 200 + below(400)])
    try {
      replies.push(reply({ status, headers: Object.fromEntries(headers), body }))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      rejected++
    }
  }
  return { replies, rejected }
}

const STATUSES = [
  200, 200, 204, 205, 206, 304, 429, 503, 599, 199, 600, 100, 101, 103, 0, -1, 200.5,
]

const BODIES: readonly unknown[] = [
  ...[undefined, undefined, '', new Uint8Array(), Buffer.from('a part of a larger buffer')],
  Uint8Array.from({ length: 70_000 }, (_, at) => at),
  { text: 'ä€𝄞', list: [1, null, true, { a: undefined }] },
  'ä€𝄞\ud800\0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  '-'.repeat(70_000),
]

/** What servers, clients and proxies treat in a way of their own. */
const NAMES = [
  ...['connection', 'content-length', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['http2-settings', 'content-encoding', 'content-range', 'content-type', 'content-disposition'],
  ...['date', 'server', 'set-cookie', 'etag', 'vary', 'location', 'x-powered-by', 'host', 'expect'],
  ...['x-accel-redirect', 'x-sendfile', '__proto__', 'constructor', 'toString', ':status'],
]

const TYPES = [
  'text/xml',
  'application/json; charset=utf-8',
  'TEXT/Plain ;a="ä;\\""',
  'a/b;',
  'a/b c',
]

const TOKEN = "abcXYZ019!#$%&'*+-.^_`|~"
const ALL = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('')
const VALUE = ALL.slice(0x20, 0x7f) + ALL.slice(0xa0, 0x100)
