// Requests whose framing is right, so that what has to be answered is known, and the connection lives on.
import { PATH } from '@webhook-receiver/tools/applications.mjs'

/**
 * @typedef {object} Part of what is sent on a connection
 * @property {Buffer} bytes
 * @property {number[]} [statuses] what may be answered; anything from 400 to 499 if there is no more to say
 * @property {string} [token] what a 2xx has to name
 * @property {string} kind
 */

const REFUSED = {
  'no signature': [(lines) => without(lines, 'X-Webhook-Signature'), 401],
  'no timestamp': [(lines) => without(lines, 'X-Webhook-Timestamp'), 401],
  'upper case': [
    (lines) => mapped(lines, 'X-Webhook-Signature', (value) => value.toUpperCase()),
    401,
  ],
  'one digit': [(lines) => mapped(lines, 'X-Webhook-Signature', turned), 401],
  'signature twice': [(lines) => [...lines, lines.find(named('X-Webhook-Signature'))], 401],
  'timestamp twice': [(lines) => [...lines, lines.find(named('X-Webhook-Timestamp'))], 401],
  'another time': [(lines) => mapped(lines, 'X-Webhook-Timestamp', (value) => `${value - 1}`), 401],
  gzip: [(lines) => [...lines, ['Content-Encoding', 'gzip']], 415],
  'odd timestamp': [(lines) => mapped(lines, 'X-Webhook-Timestamp', () => 'caf\xe9 \xff'), 401],
}

const KINDS = Object.keys(REFUSED)

/** Headers that change nothing, or that only a careless parser cares about. */
const EXTRAS = [
  ['Accept', '*/*'],
  ['X-Empty', ''],
  ['Cookie', 'a=b; c="d"'],
  ['X-Odd', '\xc3\xa9\xff\t"'],
  ['Content-Type', 'text/plain; charset=utf-16'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', '/;;='],
  ['Content-Encoding', 'identity'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Forwarded-For', '::1'],
  ['Connection', 'keep-alive'],
  ['TE', 'trailers'],
  ['X-Webhook-Id', 'another'],
]

/** A genuine delivery, written in one of many ways; `first` where nothing is sent before it. */
export function genuine(next, delivery, first = true) {
  const lines = linesOf(delivery)
  // Behind another request that is not answered yet, Node writes "100 Continue" into the middle of the answer.
  if (first && next() % 8 === 0) lines.push(['Expect', '100-continue'])
  if (next() % 4 === 0) lines.push(EXTRAS[next() % EXTRAS.length])
  if (next() % 8 === 0) lines.reverse()
  return {
    kind: 'genuine',
    bytes: written(next, 'POST', next() % 8 === 0 ? `${PATH}?a=b%20c` : PATH, lines, delivery.body),
    token: delivery.token,
    statuses: [200],
  }
}

/** A request that is refused for what it says, and after which the connection can be used again. */
export function refused(next, delivery, stock) {
  const pick = next() % (KINDS.length + 6)
  const kind = KINDS[pick]
  if (kind) {
    const [change, status] = REFUSED[kind]
    return part(next, kind, change(linesOf(delivery)), delivery.body, [status])
  }
  switch (pick - KINDS.length) {
    case 0: {
      const old = stock.signed(10, 7, { time: Date.now() - 400_000 })
      return part(next, 'too old', linesOf(old), old.body, [401])
    }
    case 1: {
      const forged = stock.signed(10, 7, { secret: 'whsec_of_somebody_else' })
      return part(next, 'forged', linesOf(forged), forged.body, [401])
    }
    case 2: {
      const body = Buffer.from(delivery.body)
      body[next() % body.length] ^= 1
      return part(next, 'a bit of the body', linesOf(delivery), body, [401])
    }
    case 3: {
      const odd = stock.sign('odd', Buffer.from(ODD[next() % ODD.length], 'latin1'))
      return part(next, 'no delivery', linesOf(odd), odd.body, [400])
    }
    case 4: {
      const bytes = written(next, 'PUT', PATH, linesOf(delivery), delivery.body)
      return { kind: 'PUT', bytes, statuses: [404, 405] }
    }
    default:
      return { kind: 'GET', bytes: written(next, 'GET', PATH, [], undefined), statuses: [404, 405] }
  }
}

const ODD = [
  ...['', '{', '[]', 'null', '{"id":1}', '\xff\xfe', '\xef\xbb\xbf{}', '{"id":"\xed\xa0\x80"}'],
  ...[
    '['.repeat(100_000),
    `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`,
    'a=b&c=d',
    '{"__proto__":{}}',
  ],
]

function part(next, kind, lines, body, statuses) {
  return { kind, bytes: written(next, 'POST', PATH, lines, body), statuses }
}

export function linesOf({ timestamp, signature }) {
  return [
    ['Content-Type', 'application/json'],
    ['X-Webhook-Id', 'dlv'],
    ['X-Webhook-Timestamp', timestamp],
    ['X-Webhook-Signature', signature],
  ]
}

/** The bytes of a request, its body with a length or in chunks. */
function written(next, method, target, lines, body) {
  const all = [['Host', 'localhost'], ...lines]
  if (body === undefined) return headOf(method, target, all, next)
  if (next() % 3 !== 0) {
    all.push(['Content-Length', String(body.length)])
    return Buffer.concat([headOf(method, target, all, next), body])
  }
  all.push(['Transfer-Encoding', next() % 4 === 0 ? 'Chunked' : 'chunked'])
  return Buffer.concat([headOf(method, target, all, next), ...chunks(next, body)])
}

/** A head in which names are in any case, with any of the white space that HTTP allows around a value. */
export function headOf(method, target, lines, next = () => 1) {
  let head = `${method} ${target} HTTP/1.1\r\n`
  for (const [name, value] of lines) {
    // Node takes no tab around what frames a request.
    const style = FRAMING.test(name) ? next() % 2 : next() % 8
    const spelt = style === 0 ? name.toLowerCase() : style === 1 ? name.toUpperCase() : name
    const space = style === 2 ? '\t  ' : style === 3 ? '' : ' '
    head += `${spelt}:${space}${value}${style === 4 ? ' \t' : ''}\r\n`
  }
  return Buffer.from(`${head}\r\n`, 'latin1')
}

const FRAMING = /^(content-length|transfer-encoding)$/i

function* chunks(next, body) {
  // Thousands of tiny chunks are for small bodies.
  const most = body.length > 4096 ? 65_536 : 1 + (next() % 400)
  for (let at = 0; at < body.length; ) {
    const size = 1 + (next() % most)
    const piece = body.subarray(at, at + size)
    const digits = piece.length.toString(16)
    const style = next() % 16
    const written = style === 0 ? `000${digits}` : style === 1 ? digits.toUpperCase() : digits
    yield Buffer.from(`${written}${style === 2 ? ';name="value"' : ''}\r\n`)
    yield piece
    yield CRLF
    at += size
  }
  yield Buffer.from(next() % 8 === 0 ? '0\r\nX-Trailer: x\r\n\r\n' : '0\r\n\r\n')
}

const CRLF = Buffer.from('\r\n')

const named = (name) => (line) => line[0] === name

function without(lines, name) {
  return lines.filter(([found]) => found !== name)
}

function mapped(lines, name, change) {
  return lines.map(([found, value]) => [found, found === name ? change(value) : value])
}

function turned(signature) {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0')
}
