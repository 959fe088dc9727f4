import { reply, type WebhookReply } from '@webhook-receiver/core'

/** Replies with what servers, clients and proxies treat in ways of their own, as far as `reply` makes them. */
export function possibleReplies(): readonly WebhookReply[] {
  const given = [
    ...STATUSES.flatMap((status) => [{ status }, { status, body: 'a' }]),
    ...BODIES.map((body) => ({ body })),
    ...NAMES.flatMap((name) => [name, name.toUpperCase()]).map((name) => ({
      headers: { [name]: '1' },
      body: 'a',
    })),
    ...TYPES.map((type) => ({ headers: { 'Content-Type': type }, body: 'ä' })),
    { headers: { [TOKEN]: VALUE, 'x-empty': '' }, body: 'a' },
    { status: 204, headers: { 'x-a': 'é' } },
  ]
  return given.flatMap((options) => {
    try {
      return [reply(options)]
    } catch (error) {
      if (error instanceof TypeError) return []
      throw error
    }
  })
}

const STATUSES = [199, 200, 203, 204, 205, 206, 299, 304, 404, 429, 500, 503, 599, 600]

const BODIES = [
  ...['', new Uint8Array(), Buffer.from('a part of a larger buffer').subarray(2, 6)],
  Uint8Array.from({ length: 70_000 }, (_, at) => at),
  { text: 'ä€𝄞', list: [1, null, true, { a: undefined }] },
  'ä€𝄞\ud800\0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  '-'.repeat(70_000),
]

const NAMES = [
  ...['connection', 'content-length', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  ...['http2-settings', 'content-encoding', 'content-range', 'content-type', 'content-disposition'],
  ...['date', 'server', 'set-cookie', 'etag', 'vary', 'location', 'x-powered-by', 'host', 'expect'],
  ...['x-accel-redirect', 'x-sendfile', '__proto__', 'constructor', 'toString', ':status'],
]

const TYPES = [
  ...['text/xml', 'application/json; charset=utf-8', 'TEXT/Plain ;a="ä;\\""', 'a/b;', 'a/b c'],
]

const TOKEN = "abcXYZ019!#$%&'*+-.^_`|~"

/** Every character that a value may have. */
const VALUE = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code))
  .join('')
  .replace(/[\0-\x20\x7f-\xa0]/g, '')
