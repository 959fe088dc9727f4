// What is sent last on a connection: requests with malformed, false or incomplete framing. A server may read the bytes after
// such a request in different ways, but it must respond or close, and must accept nothing that is not valid.
import { PATH } from '../../applications.mjs'
import { headerFrom, headersOf, headOf, valid } from './requests.mjs'

const HOST = ['Host', 'localhost']
const CHUNKED = 'Transfer-Encoding: chunked'
const LENGTH = 'Content-Length: {n}'

const METHODS =
  'post|POST\t| POST|P\0ST|PÖST||PRI|TRACE|OPTIONS|DELETE|CONNECT|PROPFIND|M-SEARCH|QUERY|POSTPOST|POST POST'

const VERSIONS = 'HTTP/1.0|HTTP/2.0|HTTP/0.9|HTTP/1.2|http/1.1|HTTP/1.1 x|HTTP/11||ICE/1.0'

const TARGETS = [
  ...['*', '/', '//', '/WEBHOOKS', '/webhooks/', '/webhooks/..', '/webhooks%2f', '/%77ebhooks'],
  ...['webhooks', 'http://localhost/webhooks', 'http://[::1/webhooks', 'javascript:x'],
  ...['/webhooks#a', '/webhooks?%', '/webhooks%', '/%ff%fe', '/webhooks\\..', '/\xe9'],
  ...['/webhooks?\xff', `/${'x'.repeat(9000)}`, '/%00', `/webhooks?${'x'.repeat(20_000)}`],
  ...['/webhooks/__proto__', '/../webhooks', '/webhooks;a', '/a b'],
]

/** Whole requests that a server must respond to. The body is that of a valid delivery. */
const FALSE_FRAMING = [
  // Lengths.
  inChunks(LENGTH, CHUNKED),
  inChunks(CHUNKED, LENGTH),
  withHeaders(LENGTH, LENGTH),
  withHeaders(LENGTH, 'Content-Length: 0'),
  ...[
    '{n}, {n}',
    '+{n}',
    '-{n}',
    '0x{hex}',
    '99999999999999999999999',
    '{n} 0',
    'abc',
    '',
    '0',
  ].map((length) => withHeaders(`Content-Length: ${length}`)),
  (d, next) => withHeaders(`Content-Length: ${next() % d.body.length}`)(d),
  withHeaders(),
  // Codings.
  inChunks('Transfer-Encoding: gzip, chunked'),
  inChunks('Transfer-Encoding: chunked, chunked'),
  inChunks('Transfer-Encoding: chunked, identity'),
  inChunks('Transfer-Encoding: xchunked'),
  inChunks('Transfer-Encoding: \x0bchunked'),
  inChunks('Transfer-Encoding : chunked'),
  inChunks(CHUNKED, 'Transfer-Encoding: identity'),
  withHeaders('Transfer-Encoding: identity'),
  // Chunks.
  ...[
    ...['g\r\nx\r\n0\r\n\r\n', '-1\r\nx\r\n0\r\n\r\n', 'ffffffffffffffffff\r\nx\r\n0\r\n\r\n'],
    ...['0x5\r\nabcde\r\n0\r\n\r\n', '5\r\nabcdefgh\r\n0\r\n\r\n', '5\nabcde\n0\n\n'],
    `5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
    `0\r\n${'X-Trailer: x\r\n'.repeat(2000)}\r\n`,
    ...['\r\n\r\n', '0\r\nX-Webhook-Signature: sha256=0\r\n\r\n'],
  ].map((body) => (d) => request(d, [CHUNKED], body)),
  // Heads.
  withHeaders(`X-${'n'.repeat(20_000)}: v`),
  withHeaders(`X-Long: ${'v'.repeat(20_000)}`),
  withHeaders(...Array.from({ length: 1500 }, (_, index) => `X-${index}: v`)),
  withHeaders('X-Fold: a\r\n b'),
  withHeaders('X-Signature: a\r\n\tX-Webhook-Timestamp: 1'),
  withHeaders('X-Null: a\0b'),
  withHeaders('X-Bare: a\nX-Other: b'),
  withHeaders('X-Bare: a\rX-Other: b'),
  withHeaders('Bad name: v'),
  withHeaders(': v'),
  withHeaders('X-\xe9: v'),
  withFirstLine('no colon here'),
  withFirstLine(': nameless'),
  (d) => Buffer.concat([headOf('POST', PATH, withLength(d)), d.body]),
  (d) => Buffer.concat([headOf('POST', PATH, [HOST, ['Host', 'other'], ...withLength(d)]), d.body]),
  withHeaders('Expect: 200-ok', LENGTH),
  withHeaders('Connection: close', LENGTH),
  withHeaders('Connection: close, keep-alive, X-Webhook-Signature', LENGTH),
  withHeaders('Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMA', LENGTH),
  withHeaders('Upgrade: websocket', 'Connection: upgrade', LENGTH),
  // Request lines.
  ...METHODS.split('|').map((method) => withRequestLine(`${method} ${PATH} HTTP/1.1`)),
  ...VERSIONS.split('|').map((version) => withRequestLine(`POST ${PATH} ${version}`)),
  ...TARGETS.map((target) => withRequestLine(`POST ${target} HTTP/1.1`)),
]

/** Bytes that are not HTTP, or nearly HTTP. */
const NOT_HTTP = [
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

/**
 * @typedef {object} Tail what comes last on a connection
 * @property {string} kind
 * @property {Buffer} bytes
 * @property {string[]} tokens the deliveries that may be handled
 * @property {'wait' | 'end' | 'close' | 'reset'} after what the client does then; 'end' closes its own half
 */

/** @returns {Tail} */
export function malformed(next, pool) {
  const delivery = pool.any()
  const tokens = [delivery.token]
  const pick = next() % 16
  if (pick < 6) {
    const bytes = FALSE_FRAMING[next() % FALSE_FRAMING.length](delivery, next)
    return { kind: 'false framing', bytes, tokens, after: 'wait' }
  }
  if (pick === 6) {
    const bytes = Buffer.from(NOT_HTTP[next() % NOT_HTTP.length], 'latin1')
    return { kind: 'no HTTP', bytes, tokens, after: next() % 2 ? 'wait' : 'end' }
  }
  if (pick === 7) return { kind: 'noise', bytes: noise(next), tokens, after: 'wait' }
  if (pick === 8 && next() % 8 === 0) return large(next, pool)
  const { bytes } = valid(next, delivery, false)
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

/** A body above the limit, announced or sent, or exactly at the limit. */
function large(next, pool) {
  const by = [0, 1, 100_000][next() % 3]
  const delivery = pool.largest(by)
  const pick = next() % 3
  const body = pick === 0 ? chunked(delivery.body) : delivery.body
  const sent = pick === 1 && by > 0 ? body.subarray(0, 1000) : body
  const bytes = request(delivery, [pick === 0 ? CHUNKED : LENGTH], sent)
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
  // Most mutations are in the head, which is smaller and which the parser reads.
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

/** A request with more headers than those of the delivery. `{n}` is the length of its body, `{hex}` in hexadecimal. */
function request(delivery, lines, body = delivery.body) {
  const { length } = delivery.body
  const headers = lines.map((line) =>
    headerFrom(line.replaceAll('{n}', length).replaceAll('{hex}', length.toString(16))),
  )
  const head = headOf('POST', PATH, [HOST, ...headersOf(delivery), ...headers])
  return Buffer.concat([head, Buffer.from(body)])
}

function withHeaders(...lines) {
  return (delivery) => request(delivery, lines)
}

function inChunks(...lines) {
  return (delivery) => request(delivery, lines, chunked(delivery.body))
}

function withRequestLine(line) {
  return (delivery) => {
    const text = request(delivery, [LENGTH]).latin1Slice()
    return Buffer.from(line + text.slice(text.indexOf('\r\n')), 'latin1')
  }
}

/** A request with one more line before its headers. */
function withFirstLine(line) {
  return (delivery) => {
    const text = request(delivery, [LENGTH]).latin1Slice()
    return Buffer.from(text.replace('\r\n', `\r\n${line}\r\n`), 'latin1')
  }
}

function withLength(delivery) {
  return [...headersOf(delivery), ['Content-Length', String(delivery.body.length)]]
}

function chunked(body) {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  return Buffer.concat([size, body, Buffer.from('\r\n0\r\n\r\n')])
}
