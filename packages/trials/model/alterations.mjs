// Changes of a request after it was signed. Most of them must be noticed; some must not matter.
import { cut, flipped, inserted } from './bodies.mjs'
import { misspelled, timestampText } from './timestamp-texts.mjs'

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'Post', 'POST ', '']

const CODINGS = [
  ...['gzip', 'identity', 'IDENTITY', 'Identity', '', 'br', 'deflate', 'x-gzip', 'utf-8', '*'],
  ...['identity, identity', 'identity, gzip', 'gzip, identity', ' identity', 'identity;q=1'],
  ...['ıdentity', 'UTF8', 'none', 'Binary', '\tutf-8 ', 'utf-8, gzip', 'utf-8,'],
]

const LENGTHS = [
  ...['0', '1', '511', '512', '513', '1048576', '1048577', '9999999999999999999999', '00000000001'],
  ...['-1', '+600', '1e9', '0x7fffffff', '12, 12', '9999999, 9999999', 'abc', '', ' 12', '1_000'],
]

const HARMLESS = [
  ...['X-Webhook-Id: another', 'X-Webhook-Id: ', 'Content-Type: text/plain; charset=utf-16'],
  ...['Content-Type: multipart/form-data', 'Transfer-Encoding: chunked'],
  ...['X-Webhook-Event: message.read', 'X-Webhook-Signature-256: sha256=0', '__proto__: x'],
  ...['constructor: x', 'Expect: 100-continue', 'X-HTTP-Method-Override: GET'],
].map((line) => line.split(': '))

const ALTERATIONS = [
  (request, a, b) => {
    request.body = flipped(request.body, a, b)
  },
  (request, a, b) => {
    request.body = cut(request.body, a, b)
  },
  (request, a, b) => {
    request.body = inserted(request.body, a, Buffer.of(b & 0xff))
  },
  swapReplacement,
  reserialise,
  changeSignature,
  signSomethingElse,
  changeTimestamp,
  (request, a) => {
    request.method = METHODS[a % METHODS.length]
  },
  (request, a) => request.headers.push(['Content-Encoding', CODINGS[a % CODINGS.length]]),
  (request, a) => {
    const value = LENGTHS[a % LENGTHS.length]
    if (a % 3 === 0) request.headers.push(['content-length', value])
    else setHeader(request, 'content-length', () => value)
  },
  addHeaders,
  repeatHeader,
  removeHeader,
  (request, a, b) => {
    request.now += (b % 2 ? 1 : -1) * (a % 7 === 0 ? a * 1000 : a)
  },
  (request) => {
    request.headers = request.headers.map(([name, value]) => [name.toUpperCase(), value])
  },
]

/** Alters a request in place. */
export function alter(request, [kind, a, b], signing) {
  ALTERATIONS[kind % ALTERATIONS.length](request, a, b, signing)
}

/** U+FFFD and a byte that is not UTF-8 decode to the same text, but are different bodies. */
function swapReplacement(request, a) {
  const body = request.body.toString('latin1')
  const altered =
    a % 2 === 0 ? body.replace('\xef\xbf\xbd', '\xff') : body.replace(/[^\0-\x7f]+/, '\xef\xbf\xbd')
  request.body = Buffer.from(altered, 'latin1')
}

function reserialise(request, a) {
  try {
    request.body = Buffer.from(JSON.stringify(JSON.parse(request.body.toString()), null, a % 3))
  } catch {
    request.body = Buffer.from(request.body.toString())
  }
}

function changeSignature(request, a, b) {
  const signatures = [
    (value) => value.toUpperCase(),
    (value) => value.replace('sha256', 'SHA256'),
    (value) => value.replace(/[a-f]/, (digit) => digit.toUpperCase()),
    (value) => value.slice(7),
    (value) => value.replace('=', ':'),
    (value) => value.replace('sha256', ['sha1', 'sha512', 'v1', 'hmac-sha256'][b % 4]),
    (value) => `${value} `,
    (value) => ` ${value}`,
    (value) => `${value}\n`,
    (value) => `"${value}"`,
    (value) => `${value}${'0'.repeat(1 + (b % 64))}`,
    (value) => value.slice(0, 7 + (b % 64)),
    (value) => `${value}, ${value}`,
    (value) => `${value},sha256=${'0'.repeat(64)}`,
    (value) => `sha256=${'0'.repeat(64)}, ${value}`,
    (value) => `sha256=${Buffer.from(value.slice(7), 'hex').toString('base64')}`,
    (value) =>
      value.slice(0, 7 + (b % 64)) + '0123456789abcdefgG\xc0 '[a % 20] + value.slice(8 + (b % 64)),
    (value) => value.replace(/.$/, ''),
    (value) => `sha256=${'0'.repeat(64)}${value.slice(71)}`,
    () => '',
    () => 'sha256=',
  ]
  setHeader(request, 'x-webhook-signature', signatures[a % signatures.length])
}

/** A valid signature of something else. */
function signSomethingElse(request, a, b, { timestamp, secret, foreign, sign }) {
  const empty = Buffer.alloc(0)
  const macs = [
    () => sign(foreign, timestamp, request.body),
    () => sign(secret.slice('whsec_'.length) || 'x', timestamp, request.body),
    () => sign(`${secret}\n`, timestamp, request.body),
    () => sign(secret, timestamp, empty),
    () => sign(secret, '', request.body),
    () => sign(secret, `${timestamp} `, request.body),
    () => sign(secret, timestamp, flipped(request.body, a, b)),
    () => sign(secret, `${timestamp}.`, request.body),
    // The signature of the body as it is now.
    () => sign(secret, timestamp, request.body),
  ]
  const mac = macs[b % macs.length]()
  setHeader(request, 'x-webhook-signature', () => `sha256=${mac}`)
}

function changeTimestamp(request, a, b, { time, timestamp }) {
  const timestamps = [
    () => timestampText(time, b),
    () => timestampText(time + 1000, b),
    () => misspelled(timestamp, a, b),
    () => ` ${timestamp}`,
    () => `${timestamp} `,
    () => `${timestamp}, ${timestamp}`,
    () => '',
    () => timestampText(request.now, b),
  ]
  setHeader(request, 'x-webhook-timestamp', timestamps[a % timestamps.length])
}

/** Adds headers that must not change the result. */
function addHeaders(request, a, b) {
  request.headers.push(HARMLESS[a % HARMLESS.length])
  if (b % 3 === 0) request.headers.reverse()
}

/** Adds a second header of the same name, which is joined with the first. */
function repeatHeader(request, a, b) {
  const line = request.headers[a % request.headers.length]
  const value = b % 3 === 0 ? line[1] : b % 3 === 1 ? '' : `x${b}`
  request.headers.splice(b % (request.headers.length + 1), 0, [line[0].toLowerCase(), value])
}

function removeHeader(request, a) {
  const [[name]] = request.headers.splice(a % request.headers.length, 1)
  request.headers = request.headers.filter(([found]) => found.toLowerCase() !== name.toLowerCase())
  if (request.headers.length === 0) request.headers.push(['Accept', '*/*'])
}

function setHeader(request, name, spell) {
  request.headers = request.headers.map((line) =>
    line[0].toLowerCase() === name ? [line[0], spell(line[1])] : line,
  )
}
