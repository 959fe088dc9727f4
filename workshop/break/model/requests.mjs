// Requests to the receivers: signed, and most often changed before or after that.
import fc from 'fast-check'
import { bodies, edits, rarely } from './bodies.mjs'
import { macOf } from './model.mjs'
import { FOREIGN, NOW, RECEIVERS } from './receivers.mjs'
import { misspellings, spellings, timestamps } from './timestamps.mjs'

const SIGNATURE = 'X-Webhook-Signature'
const TIMESTAMP = 'X-Webhook-Timestamp'

const codings = fc.constantFrom(
  ...'gzip|identity|IDENTITY| Identity||br|x-gzip|utf-8|UTF8|none|*'.split('|'),
  ...'identity, gzip|gzip, identity|identity;q=1|ıdentity|\tBinary |utf-8,|utf-88'.split('|'),
)

const LENGTHS = ['9'.repeat(22), ...'0|0000000512|-1|+600|1e9|12, 12|abc|'.split('|')]

/** Functions that announce a length, given the limit. */
const lengths = fc.oneof(
  fc.constantFrom(-1, 0, 1).map((by) => (limit) => String(limit + by)),
  fc.constantFrom(...LENGTHS).map((text) => () => text),
)

/** Spellings of a signature that is right, of which a receiver takes none. */
const RESPELLED = [
  (value) => value.toUpperCase(),
  (value) => value.replace(/[a-f]/, (digit) => digit.toUpperCase()),
  (value) => value.slice(7),
  (value) => `${value}, ${value}`,
  (value) => `sha256=${Buffer.from(value.slice(7), 'hex').toString('base64')}`,
  () => '',
]

/** Functions that sign a request once more: with a secret, for a timestamp and for a body that may be others. */
const signings = fc
  .tuple(
    fc.constantFrom(...[(secret) => secret, () => FOREIGN, (secret) => `${secret}\n`]),
    fc.constantFrom(...[(timestamp) => timestamp, () => '', (timestamp) => `${timestamp}.`]),
    fc.constantFrom(...[(body) => body, () => Buffer.alloc(0)]),
  )
  .map(
    ([secretOf, timestampOf, bodyOf]) =>
      ({ secret, timestamp }, body) =>
        `sha256=${macOf(secretOf(secret), timestampOf(timestamp), bodyOf(body))}`,
  )

/** Lines that change nothing. */
const HARMLESS = [
  ...['X-Webhook-Id: another', 'X-Webhook-Id: ', 'Content-Type: text/plain; charset=utf-16'],
  ...['Transfer-Encoding: chunked', 'X-Webhook-Signature-256: sha256=0', '__proto__: x'],
  ...['Expect: 100-continue', 'X-HTTP-Method-Override: GET'],
].map((line) => line.split(': '))

const methods = fc.constantFrom(...'GET|HEAD|PUT|DELETE|OPTIONS|post|POST |'.split('|'))
const index = fc.nat({ max: 1000 })

/** Functions that change a request, given what it was signed with. */
const changes = fc.oneof(
  edits.map((edit) => (request) => ({ ...request, body: edit(request.body) })),
  fc
    .oneof(fc.constantFrom(...RESPELLED), misspellings)
    .map((respell) => (request) => replaced(request, SIGNATURE, respell)),
  signings.map(
    (sign) => (request, signing) => replaced(request, SIGNATURE, () => sign(signing, request.body)),
  ),
  fc
    .oneof(timestamps, fc.constant(''))
    .map((text) => (request) => replaced(request, TIMESTAMP, () => text)),
  methods.map((method) => (request) => ({ ...request, method })),
  codings.map((coding) => (request) => added(request, 'content-encoding', coding)),
  lengths.map(
    (length) =>
      (request, { limit }) =>
        replaced(request, 'Content-Length', () => length(limit)),
  ),
  fc.constantFrom(...HARMLESS, [SIGNATURE, ''], [TIMESTAMP, '1']).map(
    ([name, value]) =>
      (request) =>
        added(request, name, value),
  ),
  index.map((at) => ({ headers, ...request }) => ({
    ...request,
    headers: headers.filter((_, each) => each !== at % (headers.length + 1)),
  })),
  fc.constant(({ headers, ...request }) => ({
    ...request,
    headers: headers.map(([name, value]) => [name.toUpperCase(), value]).reverse(),
  })),
  fc
    .integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
    .map((by) => (request) => ({ ...request, now: request.now + by })),
)

/** The receiver's clock beside the signed time: in tolerances, and milliseconds on top of that. */
const clocks = rarely(
  [0, 0],
  fc.tuple(fc.constantFrom(-1, 0, 1), fc.constantFrom(-1001, -1, 0, 1, 1000)),
  2,
)

/** A request, the index of the receiver that gets it, and how it is passed to that. */
export const requests = fc
  .record({
    receiver: fc.nat({ max: RECEIVERS.length - 1 }),
    secret: fc.nat({ max: 2 }),
    body: bodies,
    time: fc.oneof(fc.constant(NOW), fc.integer({ min: NOW, max: NOW + 999 })),
    spell: spellings,
    other: rarely(
      (text) => text,
      fc.oneof(
        timestamps.map((text) => () => text),
        misspellings,
      ),
      15,
    ),
    clock: clocks,
    shape: fc.nat({ max: 95 }),
    after: rarely([], fc.array(changes, { minLength: 1, maxLength: 3 }), 1),
  })
  .map(({ receiver, secret: which, body, time, spell, other, clock, shape, after }) => {
    const { secrets, tolerance, limit } = RECEIVERS[receiver]
    const [, secret] = secrets[which % secrets.length]
    const timestamp = other(spell(time))
    const [side, by] = clock
    const request = {
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(body.length)],
        ['X-Webhook-Id', 'dlv-1'],
        [TIMESTAMP, timestamp],
        [SIGNATURE, `sha256=${macOf(secret, timestamp, body)}`],
      ],
      body,
      now: time + by + (side && Number.isFinite(tolerance) ? side * tolerance * 1000 : 0),
    }
    const signing = { timestamp, secret, limit }
    const sent = after.reduce((changed, change) => change(changed, signing), request)
    return { receiver, shape, request: { ...sent, body: inMemory(sent.body, shape) } }
  })

function added({ headers, ...request }, name, value) {
  return { ...request, headers: [...headers, [name, value]] }
}

function replaced({ headers, ...request }, name, spell) {
  return {
    ...request,
    headers: headers.map(([found, value]) => [found, found === name ? spell(value) : value]),
  }
}

/** The bytes as a Buffer, as a plain array, or as a view into a larger one. */
function inMemory(body, shape) {
  if (shape % 3 === 0) return body
  if (shape % 3 === 1) return new Uint8Array(body)
  const around = new Uint8Array(body.length + 64).fill(0x7b)
  around.set(body, 31)
  return around.subarray(31, 31 + body.length)
}
