// Bodies as a sender may write them: deliveries, deliveries with a fault, other JSON, and other bytes.
import fc from 'fast-check'
import { EVENTS } from './receivers.mjs'

/** Most often the first. */
export const rarely = (usual, arbitrary, weight = 6) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })

const text = (unit) => fc.string({ unit, maxLength: 12 }).map((value) => JSON.stringify(value))

const scalars = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '-0', '1E-7', '5e-324', '9007199254740993', '0.1', '1e999', '"\u2028"'],
    ...[String.raw`"\ud800"`, String.raw`"\ufffd"`, '"\ufffd"', '"👋🏽 é"', String.raw`"[{\"\\"`],
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  text('binary'),
)

const FIELDS = ['id', 'event', 'created_at', 'data', 'instance_id', 'timestamp', 'known']

const names = fc.oneof(
  fc
    .constantFrom('__proto__', 'constructor', 'hasOwnProperty', '', '\ufffd')
    .map((name) => `"${name}"`),
  fc.constant(String.raw`"\u005f_proto__"`),
  fc.constantFrom(...FIELDS).map((name) => `"${name}"`),
  text('grapheme'),
)

const objectOf = (members) => `{${members.map((pair) => pair.join(':')).join()}}`

/** JSON as text, so that a name may come twice. */
const { json, member, object } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    tie('object'),
  ),
  member: fc.tuple(names, tie('json')),
  object: fc.array(tie('member'), { maxLength: 4 }).map(objectOf),
}))

/** Around the deepest nesting that is accepted, rarely far beyond. */
const deep = fc
  .tuple(
    fc.oneof(
      { weight: 50, arbitrary: fc.integer({ min: 58, max: 70 }) },
      { weight: 1, arbitrary: fc.constant(20_000) },
    ),
    fc.constantFrom('[ ]', '{"a": }', '{"__proto__": }', '[0, ]'),
    json,
  )
  .map(([levels, brackets, inside]) => {
    const [open, close] = brackets.split(' ')
    return open.repeat(levels) + inside + close.repeat(levels)
  })

/** What an envelope has instead of a field; `undefined` leaves it out. */
const wrong = fc.constantFrom(undefined, ...'""|null|1|[]|{}|" "|["x"]|"message.read"'.split('|'))

const paths = fc.constantFrom(
  ...FIELDS.slice(0, 4).flatMap((name) => [name, `data.${name}`]),
  ...['data.event', 'data.instance_id', 'data.timestamp'],
)

const deliveries = fc
  .record({
    event: fc.constantFrom(...EVENTS, 'message.new', 'message.reacted', '__proto__', 'é'),
    content: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('{}', '{"extra":1}', '{"throws":true}') },
      { weight: 2, arbitrary: object },
      { weight: 1, arbitrary: deep.map((value) => `{"deep":${value}}`) },
    ),
    fault: rarely([], fc.tuple(paths, wrong), 2),
    before: rarely([], fc.array(member, { maxLength: 2 })),
    inside: rarely([], fc.array(member, { maxLength: 2 })),
    behind: rarely([], fc.array(member, { maxLength: 2 })),
  })
  .map(({ event, content, fault: [path, value], before, inside, behind }) => {
    const fields = (prefix, rows) =>
      rows
        .map(([name, right]) => [JSON.stringify(name), prefix + name === path ? value : right])
        .filter(([, written]) => written !== undefined)
    const [named, time] = [JSON.stringify(event), '"2026-03-10T12:00:00.000Z"']
    const data = [
      ['instance_id', '"inst_01"'],
      ['event', named],
      ['data', content],
      ['timestamp', time],
    ]
    const all = [
      ['id', '"dlv-1"'],
      ['event', named],
      ['created_at', time],
      ['data', objectOf([...fields('data.', data), ...inside])],
    ]
    return objectOf([...before, ...fields('', all), ...behind])
  })

/** Pieces that have broken parsers: JSON, and bytes in hexadecimal. */
const PIECES = [
  ...String.raw`" \ { } [ ] , : - 0 1. 0x10 NaN \u0000 \ud800 \u // ' __proto__ ,"__proto__":1`
    .split(' ')
    .map((piece) => Buffer.from(piece)),
  ...'00 0a a0 efbbbf ff fe c080 c1bf e08080 eda080 efbfbd f0808080 f4908080 f5808080 e282 80 c2 e280a8'
    .split(' ')
    .map((piece) => Buffer.from(piece, 'hex')),
]

const at = fc.nat({ max: 1_000_000 })
const spliced = (body, start, removed, piece) =>
  Buffer.concat([body.subarray(0, start), piece, body.subarray(start + removed)])

/** White space of several formats; only some of it is white space in JSON. */
const SPACES = [' ', '\n\t\r ', '\u00a0', '\v', '\ufeff', '\u2028', '\0']

/** Functions that change a body. */
export const edits = fc.oneof(
  fc
    .tuple(
      at,
      fc.nat({ max: 4 }),
      fc.oneof(fc.constantFrom(...PIECES), fc.constant(Buffer.alloc(0))),
    )
    .map(
      ([start, removed, piece]) =>
        (body) =>
          spliced(body, start % (body.length + 1), removed, piece),
    ),
  fc.tuple(at, fc.nat({ max: 7 })).map(([where, bit]) => (body) => {
    const copy = Buffer.from(body)
    if (copy.length > 0) copy[where % copy.length] ^= 1 << bit
    return copy
  }),
  fc.tuple(fc.constantFrom(...SPACES), fc.boolean()).map(
    ([space, before]) =>
      (body) =>
        spliced(body, before ? 0 : body.length, 0, Buffer.from(space)),
  ),
  // U+FFFD and a byte that is not UTF-8 decode to the same text, but are different bodies.
  fc.constant((body) =>
    Buffer.from(body.toString('latin1').replace('\xef\xbf\xbd', '\xff'), 'latin1'),
  ),
  at.map((length) => (body) => body.subarray(0, length % (body.length + 1))),
  fc.constant((body) => Buffer.from(body.toString(), 'utf16le')),
)

const buffers = (texts) => texts.map((written) => Buffer.from(written))

/** Lengths around two limits, the blocks of SHA-256 and a scratch buffer, rarely around the default limit, which is slow. */
const lengths = fc
  .tuple(
    fc.oneof(
      { weight: 200, arbitrary: fc.constantFrom(512, 16_384, 16_400) },
      { weight: 1, arbitrary: fc.constant(1_048_576) },
    ),
    fc.oneof(fc.integer({ min: -13, max: -2 }), fc.constantFrom(-1, 0, 1)),
  )
  .map(([length, by]) => length + by)

const padded = fc
  .tuple(buffers(deliveries), lengths)
  .map(([body, length]) =>
    Buffer.concat([body, Buffer.alloc(Math.max(0, length - body.length), ' ')]),
  )

const edited = (bodies) =>
  fc
    .tuple(bodies, fc.array(edits, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => changes.reduce((changed, change) => change(changed), body))

const values = buffers(fc.oneof(json, deep, deliveries))

/** JSON, changed JSON, and any bytes. */
export const jsonBytes = fc.oneof(
  { weight: 4, arbitrary: values },
  { weight: 4, arbitrary: edited(values) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
)

/** Most of them are deliveries. */
export const bodies = fc.oneof(
  { weight: 12, arbitrary: buffers(deliveries) },
  { weight: 3, arbitrary: padded },
  { weight: 3, arbitrary: edited(buffers(deliveries)) },
  { weight: 2, arbitrary: jsonBytes },
)
