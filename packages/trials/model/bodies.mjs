// Bodies as the service writes them, and changes of them before they are signed: the result is signed, whether it
// is a delivery or not.
import { EVENTS } from './receivers.mjs'

const CONTENTS = [
  '{"message_id":"9007199254740993","from":"+15550100","text":"Hi"}',
  '{}',
  '{"text":"Hi 👋🏽,\\nis <Tom & Jerry> open?\u2028“Ja”, \\"oui\\" \\\\ \\u0646"}',
  '{"text":"\\ufffd and � and \\ud800"}',
  '{"n":[1,-0,0.1,1e21,1E-7,9007199254740993,123456789012345678901234567890]}',
  '{"list":[{"a":[{}]},[],null,true,false,""],"b":{"c":{"d":{}}}}',
  '{"extra":1}',
  '{"throws":true}',
  '{"__proto__":{"polluted":true},"kept":1}',
  '{"a":{"\\u005f_proto__":{"polluted":true}},"kept":1}',
  '{"constructor":{"prototype":{"polluted":true}},"toString":"x","length":3}',
  '{"text":"[[[[{{{{ \\"[\\\\"}',
  '{"a":1,"a":2,"a":{"a":3}}',
  `{"text":"${'long '.repeat(1000)}"}`,
  `{"text":"${'é'.repeat(3000)}"}`,
  `{"list":[${Array.from({ length: 400 }, (_, index) => `{"n":${index}}`).join(',')}]}`,
]

const NAMES = [...EVENTS, 'message.new', 'message.reacted', '__proto__', 'constructor', 'é']

const TIME = '2026-03-10T12:00:00.000Z'

/** The text of a delivery. */
export function bodyText(event, content, number) {
  const name = JSON.stringify(NAMES[event % NAMES.length])
  // The long contents come less often.
  const data = CONTENTS[(content >> 4) % (content % 16 === 0 ? CONTENTS.length : 13)]
  return `{"id":"dlv-${number}","event":${name},"created_at":"${TIME}","data":{"instance_id":"inst_01","event":${name},"data":${data},"timestamp":"${TIME}"}}`
}

const JSON_TOKENS = String.raw`" \ { } [ ] , : - + . e 0 null true NaN \u0000 \ud800 \uD83D\uDE00 \u \x41 ' // /**/`
const NUMBER_TOKENS = '1e999999 -1e-999999 0x10 01 1. .5'

/** Control characters, byte order marks, broken UTF-8 and unusual code points, in hexadecimal. */
const BYTE_TOKENS =
  '00 0a 7f efbbbf ff fe c080 c1bf e08080 eda080 efbfbd f09f9880 f0808080 f4908080 f5808080 ' +
  'e282 80 c2 e280a8 efbfbe ed9fbf ee8080'

/** Pieces that have broken parsers. */
const TOKENS = [
  ...JSON_TOKENS.split(' ').map((text) => Buffer.from(text)),
  ...BYTE_TOKENS.split(' ').map((bytes) => Buffer.from(bytes, 'hex')),
  ...[...NUMBER_TOKENS.split(' '), '9'.repeat(400), '__proto__'].map((text) => Buffer.from(text)),
]

/** Whole bodies. */
const WHOLE = [
  ...['', ' ', 'null', 'true', '0', '-', '""', '[]', '{}', '[{}]', '"{}"', 'undefined', 'NaN'],
  ...['{"__proto__":{}}', '{"id":"a"}', '{"id":"a"', '{"id":"a",}', '{a:1}', "{'a':1}", '{}{}'],
  ...['id=a&event=b', '<xml/>', '{"data":{"data":{}}}', '1e999999', '[[[[', ']', '}'],
].map((text) => Buffer.from(text))

/** Members to add in front of the others, which win, or behind them, which lose. */
const MEMBERS = [
  ...['"__proto__":{"id":"p"}', '"\\u005f_proto__":{"data":{}}', '"__proto__":null', '"extra":1'],
  ...['"id":"later"', '"id":""', '"id":1', '"id":null', '"event":"message.read"', '"event":[]'],
  ...['"created_at":""', '"created_at":0', '"data":null', '"data":[]', '"data":{}', '"data":"x"'],
  ...['"known":true', '"known":{"a":[]}', '"constructor":null', '"hasOwnProperty":1', '"":{}'],
  `"deep":${'['.repeat(70)}${']'.repeat(70)},"deep":1`,
]

const FIELDS = ['id', 'event', 'created_at', 'data', 'instance_id', 'timestamp']
const VALUES = [
  ...['""', 'null', '1', '[]', '{}', 'true', '" "', '"\\u0000"', '["x"]', '"message.read"'],
]

/** White space of other formats; only some of it is white space in JSON. */
const SPACES = [' ', '\n\t\r ', '\u00a0', '\v', '\f', '\ufeff', '\u2028', '\0', '\u0085']

/** Lengths around the blocks of SHA-256, a limit, and the size of a scratch buffer. */
const LENGTHS = [
  ...[512, 16_384, 16_400].flatMap((size) => [-13, -12, -11, -1, 0, 1].map((by) => size + by)),
  ...[500, 501, 502, 503, 16_372, 16_373, 16_374, 16_375, 16_359, 16_360, 16_361],
]

const MEBIBYTE = 1_048_576

/** Each gets a body and two numbers, and returns another body. */
const CHANGES = [
  flipped,
  cut,
  (body, a, b) => inserted(body, a, TOKENS[b % TOKENS.length]),
  (body, a, b) => inserted(body, a, Buffer.of(b & 0xff)),
  (body, a, b) => without(body, a, 1 + (b % 8)),
  (body, a, b) => inserted(body, b, body.subarray(a % (body.length + 1)).subarray(0, 1 + (b % 40))),
  (_, a) => WHOLE[a % WHOLE.length],
  (body, a) => inserted(body, 1, Buffer.from(`${MEMBERS[a % MEMBERS.length]},`)),
  (body, a) => inserted(body, body.length - 1, Buffer.from(`,${MEMBERS[a % MEMBERS.length]}`)),
  (body, a, b) =>
    inserted(body, innerAt(body), Buffer.from(`${MEMBERS[(a + b) % MEMBERS.length]},`)),
  renamed,
  revalued,
  spaced,
  nested,
  padded,
  recoded,
  rewritten,
]

/** Changes a body before it is signed. */
export function change(body, [kind, a, b]) {
  return CHANGES[kind % CHANGES.length](body, a, b)
}

export function flipped(body, a, b) {
  if (body.length === 0) return body
  const copy = Buffer.from(body)
  copy[a % copy.length] ^= 1 << (b % 8)
  return copy
}

export function cut(body, a, b) {
  return b % 2 === 0
    ? body.subarray(0, a % (body.length + 1))
    : body.subarray(0, Math.max(0, body.length - 1 - (a % 4)))
}

export function inserted(body, a, bytes) {
  const at = a % (body.length + 1)
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)])
}

function without(body, a, count) {
  const at = a % (body.length + 1)
  return Buffer.concat([body.subarray(0, at), body.subarray(at + count)])
}

/** The position after the bracket that opens `data`. */
function innerAt(body) {
  return body.indexOf('"data":{') + 8
}

function renamed(body, a, b) {
  const field = FIELDS[a % FIELDS.length]
  const escapedField = `\\u00${hex(field)}${field.slice(1)}`
  const others = [`${field} `, field.toUpperCase(), '__proto__', escapedField]
  return replaced(body, `"${field}":`, `"${others[b % others.length]}":`, b)
}

const hex = (text) => text.charCodeAt(0).toString(16)

function revalued(body, a, b) {
  const field = FIELDS[a % FIELDS.length]
  const text = body.toString('latin1')
  const matches = [...text.matchAll(new RegExp(`"${field}":"[^"]*"`, 'g'))]
  const match = matches[b % (matches.length || 1)]
  if (!match) return replaced(body, '"data":{', '"data":[{', b)
  const value = `"${field}":${VALUES[(b >> 1) % VALUES.length]}`
  const end = match.index + match[0].length
  return Buffer.from(text.slice(0, match.index) + value + text.slice(end), 'latin1')
}

function replaced(body, from, to, b) {
  const text = body.toString('latin1')
  const at = b % 2 === 0 ? text.indexOf(from) : text.lastIndexOf(from)
  if (at === -1) return body
  return Buffer.from(text.slice(0, at) + to + text.slice(at + from.length), 'latin1')
}

function spaced(body, a, b) {
  const space = Buffer.from(SPACES[a % SPACES.length])
  return Buffer.concat(
    b % 3 === 0 ? [space, body] : b % 3 === 1 ? [body, space] : [space, body, space],
  )
}

/** Adds a member around the deepest accepted nesting, sometimes far beyond. */
function nested(body, a, b) {
  const levels = b % 1024 === 0 ? 20_000 : 58 + (a % 10)
  const [open, close] = ['[ ]', '{"a": }', '[{"a": }]', '[[], ]'][b % 4].split(' ')
  const end = b % 5 === 0 ? '' : close.repeat(levels)
  const member = `"deep":${open.repeat(levels)}${open.endsWith(':') ? '1' : ''}${end},`
  const at = a % 3 === 0 ? 1 : innerAt(body) + (a % 3 === 1 ? 0 : 1)
  return inserted(body, at, Buffer.from(member))
}

/** Pads it with white space up to a length, rarely up to the default limit, because that is slow. */
function padded(body, a, b) {
  const length = a % 512 === 7 ? MEBIBYTE + (b % 3) - 1 : LENGTHS[b % LENGTHS.length]
  return length > body.length
    ? Buffer.concat([body, Buffer.alloc(length - body.length, ' ')])
    : body
}

function recoded(body, a) {
  const text = body.toString()
  const encodings = [
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.from(text.replaceAll('é', '\u0301')),
    () => Buffer.from(JSON.stringify(text)),
    () => Buffer.from(text, 'ascii'),
  ]
  return encodings[a % encodings.length]()
}

/** Writes the same JSON differently. */
function rewritten(body, a, b) {
  try {
    const value = JSON.parse(body.toString())
    const text = JSON.stringify(value, null, a % 3)
    return Buffer.from(b % 2 === 0 ? text : text.replace(/[a-z](?=[a-z_]*":)/g, escaped))
  } catch {
    return body
  }
}

function escaped(letter) {
  return `\\u00${hex(letter)}`
}
