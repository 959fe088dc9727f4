import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { type ReplyOptions, reply, type WebhookReply } from '@webhook-receiver/core'

/** Replies that `reply` has made of whatever was drawn, and how many it has rejected. The same for the same seed. */
export function drawnReplies(
  count: number,
  seed: number,
): { readonly replies: readonly WebhookReply[]; readonly rejected: number } {
  const random = seeded(seed)
  const replies: WebhookReply[] = []
  let rejected = 0
  while (replies.length < count) {
    try {
      replies.push(reply(drawnOptions(random)))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      rejected++
    }
  }
  return { replies, rejected }
}

type Random = () => number

function drawnOptions(random: Random): ReplyOptions {
  const names = Array.from({ length: below(4, random) }, () => drawnName(random))
  return {
    status: random() < 0.5 ? 200 + below(400, random) : pick(STATUSES, random),
    headers: Object.fromEntries(names.map((name) => [name, drawnValue(random)])),
    body: pick(BODIES, random)(random),
  }
}

const STATUSES = [
  200, 200, 204, 205, 206, 304, 429, 503, 599, 199, 600, 100, 101, 103, 0, -1, 200.5,
]

const BODIES: readonly ((random: Random) => unknown)[] = [
  (random) => drawnText(random, 200, ALL),
  () => undefined,
  () => undefined,
  () => '',
  () => new Uint8Array(),
  () => Buffer.from('a part of a larger buffer'),
  () => Uint8Array.from({ length: 70_000 }, (_, at) => at),
  () => ({ text: 'ä€𝄞', list: [1, null, true, { a: undefined }] }),
  () => 'ä€𝄞\ud800\0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  () => '-'.repeat(70_000),
]

/** What servers, clients and proxies treat in a way of their own. */
const NAMES = [
  ...['connection', 'content-length', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['http2-settings', 'content-encoding', 'content-range', 'content-type', 'content-disposition'],
  ...['date', 'server', 'set-cookie', 'etag', 'vary', 'location', 'x-powered-by', 'host', 'expect'],
  ...['x-accel-redirect', 'x-sendfile', '__proto__', 'constructor', 'toString', ':status'],
]

function drawnName(random: Random): string {
  if (random() < 0.6) {
    const name = pick(NAMES, random)
    return random() < 0.3 ? name.toUpperCase() : name
  }
  return drawnText(random, 8, random() < 0.8 ? TOKEN : ALL)
}

function drawnValue(random: Random): string {
  return random() < 0.2 ? pick(TYPES, random) : drawnText(random, 24)
}

const TYPES = [
  'text/xml',
  'application/json; charset=utf-8',
  'TEXT/Plain ;a="ä;\\""',
  'a/b;',
  'a/b c',
]

const TOKEN = "abcXYZ019!#$%&'*+-.^_`|~"
const ALL = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('')
const VALUE = Array.from(ALL.slice(0x20, 0x7f) + ALL.slice(0xa0, 0x100)).join('')

function drawnText(
  random: Random,
  most: number,
  characters = random() < 0.8 ? VALUE : ALL,
): string {
  const letters = [...characters]
  return Array.from({ length: below(most, random) }, () => pick(letters, random)).join('')
}

function below(bound: number, random: Random): number {
  return Math.floor(random() * bound)
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[below(items.length, random)] as Item
}
