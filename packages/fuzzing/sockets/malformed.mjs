// What comes last on a connection: requests whose framing is wrong, a lie, or cut off. Nobody knows what a
// server makes of the bytes behind it, but it must answer or close, and take nothing for genuine that is not.
import { PATH } from '@webhook-receiver/tools/applications.mjs'
import { genuine, headOf, linesOf } from './framed.mjs'

const HOST = ['Host', 'localhost']

/** Whole requests that no server may leave without an answer. The body is that of a genuine delivery. */
const LIES = [
  // Lengths.
  (d) =>
    raw(
      [
        ['Content-Length', d.body.length],
        ['Transfer-Encoding', 'chunked'],
      ],
      d,
      chunked(d.body),
    ),
  (d) =>
    raw(
      [
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', d.body.length],
      ],
      d,
      chunked(d.body),
    ),
  (d) =>
    raw(
      [
        ['Content-Length', d.body.length],
        ['Content-Length', d.body.length],
      ],
      d,
    ),
  (d) =>
    raw(
      [
        ['Content-Length', d.body.length],
        ['Content-Length', '0'],
      ],
      d,
    ),
  (d) => raw([['Content-Length', `${d.body.length}, ${d.body.length}`]], d),
  (d) => raw([['Content-Length', `+${d.body.length}`]], d),
  (d) => raw([['Content-Length', `-${d.body.length}`]], d),
  (d) => raw([['Content-Length', `0x${d.body.length.toString(16)}`]], d),
  (d) => raw([['Content-Length', '99999999999999999999999']], d),
  (d) => raw([['Content-Length', `${d.body.length} 0`]], d),
  (d) => raw([['Content-Length', 'abc']], d),
  (d) => raw([['Content-Length', '']], d),
  (d) => raw([['Content-Length', '0']], d),
  (d, n) => raw([['Content-Length', n() % d.body.length]], d),
  (d) => raw([], d),
  // Codings.
  (d) => raw([['Transfer-Encoding', 'gzip, chunked']], d, chunked(d.body)),
  (d) => raw([['Transfer-Encoding', 'chunked, chunked']], d, chunked(d.body)),
  (d) => raw([['Transfer-Encoding', 'chunked, identity']], d, chunked(d.body)),
  (d) => raw([['Transfer-Encoding', 'xchunked']], d, chunked(d.body)),
  (d) => raw([['Transfer-Encoding', '\x0bchunked']], d, chunked(d.body)),
  (d) => raw([['Transfer-Encoding ', 'chunked']], d, chunked(d.body)),
  (d) =>
    raw(
      [
        ['Transfer-Encoding', 'chunked'],
        ['Transfer-Encoding', 'identity'],
      ],
      d,
      chunked(d.body),
    ),
  (d) => raw([['Transfer-Encoding', 'identity']], d),
  // Chunks.
  (d) => raw(CHUNKED, d, 'g\r\nx\r\n0\r\n\r\n'),
  (d) => raw(CHUNKED, d, '-1\r\nx\r\n0\r\n\r\n'),
  (d) => raw(CHUNKED, d, 'ffffffffffffffffff\r\nx\r\n0\r\n\r\n'),
  (d) => raw(CHUNKED, d, '0x5\r\nabcde\r\n0\r\n\r\n'),
  (d) => raw(CHUNKED, d, '5\r\nabcdefgh\r\n0\r\n\r\n'),
  (d) => raw(CHUNKED, d, '5\nabcde\n0\n\n'),
  (d) => raw(CHUNKED, d, `5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`),
  (d) => raw(CHUNKED, d, `0\r\n${'X-Trailer: x\r\n'.repeat(2000)}\r\n`),
  (d) => raw(CHUNKED, d, '\r\n\r\n'),
  (d) => raw(CHUNKED, d, '0\r\nX-Webhook-Signature: sha256=0\r\n\r\n'),
  // Heads.
  (d) => raw([[`X-${'n'.repeat(20_000)}`, 'v']], d),
  (d) => raw([['X-Long', 'v'.repeat(20_000)]], d),
  (d) =>
    raw(
      Array.from({ length: 1500 }, (_, index) => [`X-${index}`, 'v']),
      d,
    ),
  (d) => raw([['X-Fold', 'a\r\n b']], d),
  (d) => raw([['X-Signature', 'a\r\n\tX-Webhook-Timestamp: 1']], d),
  (d) => raw([['X-Null', 'a\0b']], d),
  (d) => raw([['X-Bare', 'a\nX-Other: b']], d),
  (d) => raw([['X-Bare', 'a\rX-Other: b']], d),
  (d) => raw([['Bad name', 'v']], d),
  (d) => raw([['', 'v']], d),
  (d) => raw([['X-\xe9', 'v']], d),
  (d) => lined(d, 'no colon here'),
  (d) => lined(d, ': nameless'),
  (d) => whole(headOf('POST', PATH, withLength(d)), d.body),
  (d) => whole(headOf('POST', PATH, [HOST, ['Host', 'other'], ...withLength(d)]), d.body),
  (d) => raw([['Expect', '200-ok'], length(d)], d),
  (d) => raw([['Connection', 'close'], length(d)], d),
  (d) => raw([['Connection', 'close, keep-alive, X-Webhook-Signature'], length(d)], d),
  (d) =>
    raw([['Connection', 'Upgrade'], ['Upgrade', 'h2c'], ['HTTP2-Settings', 'AAMA'], length(d)], d),
  (d) => raw([['Upgrade', 'websocket'], ['Connection', 'upgrade'], length(d)], d),
  // Request lines.
  ...[
    ...[
      'post',
      'POST\t',
      ' POST',
      'P\0ST',
      'PÖST',
      '',
      'PRI',
      'TRACE',
      'OPTIONS',
      'DELETE',
      'CONNECT',
    ],
    ...['PROPFIND', 'M-SEARCH', 'QUERY', 'POSTPOST', 'POST POST'],
  ].map((method) => (d) => started(`${method} ${PATH} HTTP/1.1`, d)),
  ...[
    ...[
      'HTTP/1.0',
      'HTTP/2.0',
      'HTTP/0.9',
      'HTTP/1.2',
      'http/1.1',
      'HTTP/1.1 x',
      'HTTP/11',
      '',
      'ICE/1.0',
    ],
  ].map((version) => (d) => started(`POST ${PATH} ${version}`, d)),
  ...[
    ...[
      '*',
      '/',
      '//',
      '/WEBHOOKS',
      '/webhooks/',
      '/webhooks/..',
      '/webhooks%2f',
      '/%77ebhooks',
      'webhooks',
    ],
    ...[
      'http://localhost/webhooks',
      'http://[::1/webhooks',
      'javascript:x',
      '/webhooks#a',
      '/webhooks?%',
    ],
    ...[
      '/webhooks%',
      '/%ff%fe',
      '/webhooks\\..',
      '/\xe9',
      '/webhooks?\xff',
      `/${'x'.repeat(9000)}`,
      '/%00',
    ],
    ...[
      `/webhooks?${'x'.repeat(20_000)}`,
      '/webhooks/__proto__',
      '/../webhooks',
      '/webhooks;a',
      '/a b',
    ],
  ].map((target) => (d) => started(`POST ${target} HTTP/1.1`, d)),
]

/** Not HTTP at all, or only nearly. */
const OTHERS = [
  `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\0'.repeat(40)}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\r\n\r\n\r\n\r\n',
  '\0\0\0\0\0\0\0\0',
  'EHLO example.com\r\n',
  '*1\r\n$4\r\nPING\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  '{"id":"x"}',
  `${'\r\n'.repeat(5000)}`,
  'POST /webhooks HTTP/1.1\n\n',
]

const CHUNKED = [['Transfer-Encoding', 'chunked']]

/**
 * @typedef {object} Tail what comes last on a connection
 * @property {string} kind
 * @property {Buffer} bytes
 * @property {string[]} tokens the deliveries that may be handled
 * @property {'wait' | 'end' | 'close' | 'reset'} after what the client does then; 'end' closes its own half
 */

/** @returns {Tail} */
export function malformed(next, stock) {
  const delivery = stock.any()
  const tokens = [delivery.token]
  const pick = next() % 16
  if (pick < 6) {
    const bytes = LIES[next() % LIES.length](delivery, next)
    return { kind: 'lie', bytes, tokens, after: 'wait' }
  }
  if (pick === 6) {
    const bytes = Buffer.from(OTHERS[next() % OTHERS.length], 'latin1')
    return { kind: 'no HTTP', bytes, tokens, after: next() % 2 ? 'wait' : 'end' }
  }
  if (pick === 7) return { kind: 'noise', bytes: noise(next), tokens, after: 'wait' }
  if (pick === 8 && next() % 8 === 0) return large(next, stock)
  const { bytes } = genuine(next, delivery, false)
  const after = ['wait', 'end', 'close', 'reset'][next() % 4]
  if (pick < 12) {
    const kept = bytes.subarray(0, next() % bytes.length)
    return { kind: 'cut', bytes: kept, tokens, after: after === 'wait' ? 'close' : after }
  }
  return {
    kind: 'mutated',
    bytes: mutated(next, bytes),
    tokens,
    after: after === 'wait' ? 'wait' : 'end',
  }
}

/** Larger than a receiver takes, by announcement or in fact, and exactly as large. */
function large(next, stock) {
  const by = [0, 1, 100_000][next() % 3]
  const delivery = stock.largest(by)
  const pick = next() % 3
  const head = pick === 0 ? CHUNKED : [length(delivery)]
  const body = pick === 0 ? chunked(delivery.body) : delivery.body
  const bytes = raw(head, delivery, pick === 1 && by > 0 ? body.subarray(0, 1000) : body)
  return { kind: 'large', bytes, tokens: by === 0 ? [delivery.token] : [], after: 'wait' }
}

function mutated(next, bytes) {
  let changed = bytes
  for (let left = 1 + (next() % 4); left > 0; left--) changed = mutation(next, changed)
  return changed
}

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '0',
  '\r\n\r\n',
  ',',
  '\t',
  '\xff',
  ';',
  'a\r\n',
]

function mutation(next, bytes) {
  // The head is the smaller part, and the more interesting one.
  const head = bytes.indexOf('\r\n\r\n') + 4
  const at = next() % (next() % 4 === 0 || head < 4 ? bytes.length + 1 : head)
  const length = next() % 16
  switch (next() % 5) {
    case 0: {
      const copy = Buffer.from(bytes)
      if (at < copy.length) copy[at] ^= 1 << (length % 8)
      return copy
    }
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + length)])
    case 2:
      return spliced(bytes, at, Buffer.from(PIECES[next() % PIECES.length], 'latin1'))
    case 3:
      return spliced(bytes, at, Buffer.of(next() & 0xff))
    default:
      return spliced(bytes, at, bytes.subarray(next() % bytes.length).subarray(0, 1 + length * 8))
  }
}

function spliced(bytes, at, piece) {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

function noise(next) {
  return Buffer.from(Array.from({ length: 1 + (next() % 200) }, () => next() & 0xff))
}

function raw(lines, delivery, body = delivery.body) {
  return whole(headOf('POST', PATH, [HOST, ...linesOf(delivery), ...lines]), body)
}

function lined(delivery, line) {
  const head = headOf('POST', PATH, [HOST, ...withLength(delivery)]).latin1Slice()
  return whole(Buffer.from(head.replace('\r\n', `\r\n${line}\r\n`), 'latin1'), delivery.body)
}

function started(line, delivery) {
  const head = headOf('POST', PATH, [HOST, ...withLength(delivery)]).latin1Slice()
  return whole(Buffer.from(line + head.slice(head.indexOf('\r\n')), 'latin1'), delivery.body)
}

function whole(head, body) {
  return Buffer.concat([head, Buffer.from(body)])
}

function withLength(delivery) {
  return [...linesOf(delivery), length(delivery)]
}

function length({ body }) {
  return ['Content-Length', String(body.length)]
}

function chunked(body) {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  return Buffer.concat([size, body, Buffer.from('\r\n0\r\n\r\n')])
}
