// What is done to a request after it was signed. Most of it has to be noticed; some of it must not matter.
import { cut, flipped, inserted } from './bodies.mjs'
import { misspelt, stampOf } from './stamps.mjs'

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'Post', 'POST ', '']

const CODINGS = [
  ...['gzip', 'identity', 'IDENTITY', 'Identity', '', 'br', 'deflate', 'x-gzip', 'utf-8', '*'],
  ...[
    'identity, identity',
    'identity, gzip',
    'gzip, identity',
    ' identity',
    'identity;q=1',
    'ıdentity',
  ],
]

const LENGTHS = [
  ...['0', '1', '511', '512', '513', '1048576', '1048577', '9999999999999999999999', '00000000001'],
  ...['-1', '+600', '1e9', '0x7fffffff', '12, 12', '9999999, 9999999', 'abc', '', ' 12', '1_000'],
]

const ALTERATIONS = [
  (sent, a, b) => {
    sent.body = flipped(sent.body, a, b)
  },
  (sent, a, b) => {
    sent.body = cut(sent.body, a, b)
  },
  (sent, a, b) => {
    sent.body = inserted(sent.body, a, Buffer.of(b & 0xff))
  },
  swapReplacement,
  writeAgain,
  respellSignature,
  signOtherwise,
  restamp,
  (sent, a) => {
    sent.method = METHODS[a % METHODS.length]
  },
  (sent, a) => sent.headers.push(['Content-Encoding', CODINGS[a % CODINGS.length]]),
  (sent, a) => {
    const value = LENGTHS[a % LENGTHS.length]
    if (a % 3 === 0) sent.headers.push(['content-length', value])
    else setHeader(sent, 'content-length', () => value)
  },
  addHeaders,
  repeatHeader,
  removeHeader,
  (sent, a, b) => {
    sent.now += (b % 2 ? 1 : -1) * (a % 7 === 0 ? a * 1000 : a)
  },
  (sent) => {
    sent.headers = sent.headers.map(([name, value]) => [name.toUpperCase(), value])
  },
]

/** Alters a request in place. */
export function alter(sent, [kind, a, b], signing) {
  ALTERATIONS[kind % ALTERATIONS.length](sent, a, b, signing)
}

/** U+FFFD and a byte that is not UTF-8 decode to the same text, and are not the same body. */
function swapReplacement(sent, a) {
  const body = sent.body.toString('latin1')
  const altered =
    a % 2 === 0 ? body.replace('\xef\xbf\xbd', '\xff') : body.replace(/[^\0-\x7f]+/, '\xef\xbf\xbd')
  sent.body = Buffer.from(altered, 'latin1')
}

function writeAgain(sent, a) {
  try {
    sent.body = Buffer.from(JSON.stringify(JSON.parse(sent.body.toString()), null, a % 3))
  } catch {
    sent.body = Buffer.from(sent.body.toString())
  }
}

function respellSignature(sent, a, b) {
  const spellings = [
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
  setHeader(sent, 'x-webhook-signature', spellings[a % spellings.length])
}

/** A right signature of something else. */
function signOtherwise(sent, a, b, { timestamp, secret, foreign, sign }) {
  const empty = Buffer.alloc(0)
  const macs = [
    () => sign(foreign, timestamp, sent.body),
    () => sign(secret.slice('whsec_'.length) || 'x', timestamp, sent.body),
    () => sign(`${secret}\n`, timestamp, sent.body),
    () => sign(secret, timestamp, empty),
    () => sign(secret, '', sent.body),
    () => sign(secret, `${timestamp} `, sent.body),
    () => sign(secret, timestamp, flipped(sent.body, a, b)),
    () => sign(secret, `${timestamp}.`, sent.body),
    // Stays what it was, or is signed again, for what was done to the body before.
    () => sign(secret, timestamp, sent.body),
  ]
  const mac = macs[b % macs.length]()
  setHeader(sent, 'x-webhook-signature', () => `sha256=${mac}`)
}

function restamp(sent, a, b, { time, timestamp }) {
  const stamps = [
    () => stampOf(time, b),
    () => stampOf(time + 1000, b),
    () => misspelt(timestamp, a, b),
    () => ` ${timestamp}`,
    () => `${timestamp} `,
    () => `${timestamp}, ${timestamp}`,
    () => '',
    () => stampOf(sent.now, b),
  ]
  setHeader(sent, 'x-webhook-timestamp', stamps[a % stamps.length])
}

/** What no verdict may depend on. */
function addHeaders(sent, a, b) {
  const added = [
    ['X-Webhook-Id', 'another'],
    ['X-Webhook-Id', ''],
    ['Content-Type', 'text/plain; charset=utf-16'],
    ['Content-Type', 'multipart/form-data'],
    ['Transfer-Encoding', 'chunked'],
    ['X-Webhook-Event', 'message.read'],
    ['X-Webhook-Signature-256', 'sha256=0'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['Expect', '100-continue'],
    ['X-HTTP-Method-Override', 'GET'],
  ]
  sent.headers.push(added[a % added.length])
  if (b % 3 === 0) sent.headers.reverse()
}

/** A second line of the same name, which is read as one list with the first. */
function repeatHeader(sent, a, b) {
  const line = sent.headers[a % sent.headers.length]
  const value = b % 3 === 0 ? line[1] : b % 3 === 1 ? '' : `x${b}`
  sent.headers.splice(b % (sent.headers.length + 1), 0, [line[0].toLowerCase(), value])
}

function removeHeader(sent, a) {
  const [[name]] = sent.headers.splice(a % sent.headers.length, 1)
  sent.headers = sent.headers.filter(([found]) => found.toLowerCase() !== name.toLowerCase())
  if (sent.headers.length === 0) sent.headers.push(['Accept', '*/*'])
}

function setHeader(sent, name, spell) {
  sent.headers = sent.headers.map((line) =>
    line[0].toLowerCase() === name ? [line[0], spell(line[1])] : line,
  )
}
