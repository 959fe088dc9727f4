// Requests with correct framing: their responses are known, and the connection stays usable.
import { PATH } from '../../applications.mjs'

/**
 * @typedef {object} Part of what is sent on a connection
 * @property {Buffer} bytes
 * @property {number[]} [statuses] what is allowed; without it, anything from 400 to 499
 * @property {string} [token] what a 2xx has to contain
 * @property {string} kind
 */

const SIGNATURE = 'X-Webhook-Signature'
const TIMESTAMP = 'X-Webhook-Timestamp'

/** Changes of the headers after which a delivery must be rejected, and the status. */
const REJECTED = {
  'no signature': [(headers) => headers.filter(([name]) => name !== SIGNATURE), 401],
  'no timestamp': [(headers) => headers.filter(([name]) => name !== TIMESTAMP), 401],
  'upper case': [(headers) => mapped(headers, SIGNATURE, (value) => value.toUpperCase()), 401],
  'one digit': [(headers) => mapped(headers, SIGNATURE, withOtherDigit), 401],
  'signature twice': [(headers) => [...headers, headerOf(headers, SIGNATURE)], 401],
  'timestamp twice': [(headers) => [...headers, headerOf(headers, TIMESTAMP)], 401],
  'another time': [(headers) => mapped(headers, TIMESTAMP, (value) => `${value - 1}`), 401],
  gzip: [(headers) => [...headers, ['Content-Encoding', 'gzip']], 415],
  'odd timestamp': [(headers) => mapped(headers, TIMESTAMP, () => 'caf\xe9 \xff'), 401],
}

const KINDS = Object.keys(REJECTED)

/** Headers that change nothing, or only in a careless parser. */
const HARMLESS = [
  ...['Accept: */*', 'X-Empty: ', 'Cookie: a=b; c="d"', 'X-Odd: \xc3\xa9\xff\t"'],
  ...[
    'Content-Type: text/plain; charset=utf-16',
    'Content-Type: application/x-www-form-urlencoded',
  ],
  ...['Content-Type: multipart/form-data; boundary=x', 'Content-Type: /;;='],
  ...['Content-Encoding: identity', '__proto__: x', 'constructor: x', 'X-Forwarded-For: ::1'],
  ...['Connection: keep-alive', 'TE: trailers', 'X-Webhook-Id: another'],
].map(headerFrom)

/** A valid delivery, written in one of many ways; `first`: it is the first request of its connection. */
export function valid(next, delivery, first = true) {
  const headers = headersOf(delivery)
  // If another request has no response yet, Node writes "100 Continue" into the middle of its response.
  if (first && next() % 8 === 0) headers.push(['Expect', '100-continue'])
  if (next() % 4 === 0) headers.push(HARMLESS[next() % HARMLESS.length])
  if (next() % 8 === 0) headers.reverse()
  return {
    kind: 'valid',
    bytes: requestBytes(
      next,
      'POST',
      next() % 8 === 0 ? `${PATH}?a=b%20c` : PATH,
      headers,
      delivery.body,
    ),
    token: delivery.token,
    // 204 from the handler form.
    statuses: [200, 204],
  }
}

/** A request that must be rejected, and after which the connection can be used again. */
export function rejected(next, delivery, pool) {
  const pick = next() % (KINDS.length + 6)
  const kind = KINDS[pick]
  if (kind) {
    const [change, status] = REJECTED[kind]
    return part(next, kind, change(headersOf(delivery)), delivery.body, [status])
  }
  switch (pick - KINDS.length) {
    case 0: {
      const old = pool.signed(10, 7, { time: Date.now() - 400_000 })
      return part(next, 'too old', headersOf(old), old.body, [401])
    }
    case 1: {
      const forged = pool.signed(10, 7, { secret: 'whsec_of_somebody_else' })
      return part(next, 'forged', headersOf(forged), forged.body, [401])
    }
    case 2: {
      const body = Buffer.from(delivery.body)
      body[next() % body.length] ^= 1
      return part(next, 'a bit of the body', headersOf(delivery), body, [401])
    }
    case 3: {
      const signed = pool.sign(
        'odd',
        Buffer.from(NOT_DELIVERIES[next() % NOT_DELIVERIES.length], 'latin1'),
      )
      return part(next, 'no delivery', headersOf(signed), signed.body, [400])
    }
    case 4: {
      const bytes = requestBytes(next, 'PUT', PATH, headersOf(delivery), delivery.body)
      return { kind: 'PUT', bytes, statuses: [404, 405] }
    }
    default:
      return {
        kind: 'GET',
        bytes: requestBytes(next, 'GET', PATH, [], undefined),
        statuses: [404, 405],
      }
  }
}

const NOT_DELIVERIES = [
  ...['', '{', '[]', 'null', '{"id":1}', '\xff\xfe', '\xef\xbb\xbf{}', '{"id":"\xed\xa0\x80"}'],
  ...[
    '['.repeat(100_000),
    `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`,
    'a=b&c=d',
    '{"__proto__":{}}',
  ],
]

function part(next, kind, headers, body, statuses) {
  return { kind, bytes: requestBytes(next, 'POST', PATH, headers, body), statuses }
}

export function headersOf({ timestamp, signature }) {
  return [
    ['Content-Type', 'application/json'],
    ['X-Webhook-Id', 'dlv'],
    [TIMESTAMP, timestamp],
    [SIGNATURE, signature],
  ]
}

/** The bytes of a request, its body with a length or in chunks. */
function requestBytes(next, method, target, headers, body) {
  const all = [['Host', 'localhost'], ...headers]
  if (body === undefined) return headOf(method, target, all, next)
  if (next() % 3 !== 0) {
    all.push(['Content-Length', String(body.length)])
    return Buffer.concat([headOf(method, target, all, next), body])
  }
  all.push(['Transfer-Encoding', next() % 4 === 0 ? 'Chunked' : 'chunked'])
  return Buffer.concat([headOf(method, target, all, next), ...chunks(next, body)])
}

/** A head in which names are in any case, with any of the white space that HTTP allows around a value. */
export function headOf(method, target, headers, next = () => 1) {
  let head = `${method} ${target} HTTP/1.1\r\n`
  for (const [name, value] of headers) {
    // Node accepts no tab around the headers that frame a request.
    const style = FRAMING.test(name) ? next() % 2 : next() % 8
    const respelled = style === 0 ? name.toLowerCase() : style === 1 ? name.toUpperCase() : name
    const space = style === 2 ? '\t  ' : style === 3 ? '' : ' '
    head += `${respelled}:${space}${value}${style === 4 ? ' \t' : ''}\r\n`
  }
  return Buffer.from(`${head}\r\n`, 'latin1')
}

const FRAMING = /^(content-length|transfer-encoding)$/i

function* chunks(next, body) {
  // Only small bodies are cut into thousands of tiny chunks.
  const most = body.length > 4096 ? 65_536 : 1 + (next() % 400)
  for (let at = 0; at < body.length; ) {
    const size = 1 + (next() % most)
    const piece = body.subarray(at, at + size)
    const digits = piece.length.toString(16)
    const style = next() % 16
    const sizeText = style === 0 ? `000${digits}` : style === 1 ? digits.toUpperCase() : digits
    yield Buffer.from(`${sizeText}${style === 2 ? ';name="value"' : ''}\r\n`)
    yield piece
    yield CRLF
    at += size
  }
  yield Buffer.from(next() % 8 === 0 ? '0\r\nX-Trailer: x\r\n\r\n' : '0\r\n\r\n')
}

const CRLF = Buffer.from('\r\n')

export function headerFrom(line) {
  const [name, ...rest] = line.split(': ')
  return [name, rest.join(': ')]
}

function headerOf(headers, name) {
  return headers.find(([found]) => found === name)
}

function mapped(headers, name, change) {
  return headers.map(([found, value]) => [found, found === name ? change(value) : value])
}

function withOtherDigit(signature) {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0')
}
