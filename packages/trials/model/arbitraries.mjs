// What fast-check generates and shrinks. The numbers of a recipe shrink to 0, and its steps to none.
import fc from 'fast-check'
import { change } from './bodies.mjs'
import { RANGE } from './recipe.mjs'
import { invalidTimestampText, misspelled, timestampText } from './timestamp-texts.mjs'

const number = fc.nat(RANGE - 1)
const step = fc.tuple(number, number, number)
const steps = fc.array(step, { maxLength: 3 })

/** A request to a receiver, as a recipe. */
export const recipes = fc.record({
  receiver: number,
  secret: number,
  event: number,
  content: number,
  form: number,
  offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, number),
  shape: number,
  before: steps,
  after: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, steps),
})

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'id', '', '\ufffd', 'toString'),
  fc.string({ maxLength: 5, unit: 'binary' }),
)

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom(null, true, false, 0, -0, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, '\u2028'),
      fc.double({ noNaN: true }),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('tree')), { maxLength: 4 })
      // JSON.stringify of such a Map's object would lose a name that comes twice, and __proto__.
      .map((members) => ({ toText: members })),
  ),
}))

const values = tree.map((value) => Buffer.from(textOf(value)))

/** JSON, changed JSON, nested brackets, and any bytes. */
export const jsonBytes = fc.oneof(
  { weight: 3, arbitrary: values },
  {
    weight: 4,
    arbitrary: fc
      .tuple(values, fc.array(step, { minLength: 1, maxLength: 3 }))
      .map(([body, list]) => list.reduce(change, body)),
  },
  { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 58, max: 70 }), fc.nat(3), values).map(nest) },
  { weight: 1, arbitrary: bytes },
)

/** Instants from the year 100 to the year 9999, most of them of these years. */
const times = fc.oneof(
  fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }),
  fc.integer({ min: -59_011_459_200_000, max: 253_402_300_799_999 }),
)

/** Valid timestamps, invalid ones, and other texts. */
export const timestamps = fc.oneof(
  fc.tuple(times, number).map(([time, form]) => timestampText(time, form)),
  fc.tuple(times, number).map(([time, form]) => invalidTimestampText(time, form)),
  fc
    .tuple(times, number, fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 2 }))
    .map(([time, form, list]) =>
      list.reduce((text, [a, b]) => misspelled(text, a, b), timestampText(time, form)),
    ),
  fc.stringMatching(/^[0-9]{8,15}$/),
  fc.string({ maxLength: 30 }),
)

const digits = fc.stringMatching(/^[0-9a-f]{64}$/)

const signatures = fc.oneof(
  digits.map((mac) => `sha256=${mac}`),
  digits.map((mac) => `sha256=${mac}`.toUpperCase()),
  fc.stringMatching(/^(sha256|sha1|SHA256)?[=: ]?[0-9a-fA-Fg]{62,66}[ \n,]?$/),
  fc.constantFrom('', 'sha256=', 'sha256'),
  fc.string({ maxLength: 80 }),
)

const lines = fc.oneof(
  fc.tuple(fc.constant('x-webhook-signature'), signatures),
  fc.tuple(
    fc.constant('X-Webhook-Signature'),
    digits.map((mac) => `sha256=${mac}`),
  ),
  fc.tuple(fc.constantFrom('X-Webhook-Timestamp', 'x-webhook-timestamp'), timestamps),
  fc.tuple(fc.constant('X-Webhook-Id'), fc.string()),
  fc.tuple(
    fc.constant('Content-Encoding'),
    fc.constantFrom('gzip', 'identity', 'Identity', 'IDENTITY', '', 'identity, gzip', ' identity'),
  ),
  fc.tuple(
    fc.constant('Content-Length'),
    fc.oneof(fc.nat().map(String), fc.constantFrom('', '100', '101', '0100', '-1', '1e3', '0x99')),
  ),
)

const SIGNED = Object.entries({
  'x-webhook-signature': `sha256=${'0123456789abcdef'.repeat(4)}`,
  'x-webhook-timestamp': '1773144000',
})

/** A request's line and head, and the limit of its receiver. */
export const heads = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('POST') },
    fc.constantFrom('GET', 'PUT', 'post', 'POST ', ''),
  ),
  headers: fc
    .array(lines, { maxLength: 6 })
    .chain((list) =>
      fc
        .boolean()
        .map((signed) =>
          signed ? [...SIGNED, ...list.filter(([name]) => /^content/i.test(name))] : list,
        ),
    ),
  limit: fc.constantFrom(1, 100, 1_048_576),
})

function textOf(value) {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) {
    return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  }
  const members = value.toText.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
  return `{${members.join()}}`
}

function nest([levels, kind, body]) {
  const [open, close] = ['[ ]', '{"a": }', '{"__proto__": }', '[0, ]'][kind].split(' ')
  return Buffer.from(open.repeat(levels) + body + close.repeat(levels))
}
