import type { DiagnosisInput } from '../src/index.ts'
import {
  BODY,
  bodies,
  digest,
  ID,
  INSTANT,
  type Produced,
  produced,
  SECRET,
  TIMESTAMP,
} from './produced.ts'

/** What is wrong, a part of what the finding says, and the other code that it has. */
type Fault = Produced & { readonly says?: string; readonly also?: string }

export interface Case {
  readonly code: string
  readonly what: string
  readonly says: string
  readonly also: string | undefined
  readonly input: DiagnosisInput
}

const bare = SECRET.slice('whsec_'.length)
const mac = digest([`${TIMESTAMP}.`, BODY])
const [digits, base64] = [mac.toString('hex'), mac.toString('base64')]
const right = `sha256=${digits}`
const wrong = `sha256=${'ab'.repeat(32)}`

const api = 'key_live_1234'
const given = (secrets: string) => ({ input: { secrets } })
const sentAs = (signature: string) => ({ headers: { 'X-Webhook-Signature': signature } })
const sha1 = digest([`${TIMESTAMP}.`, BODY], SECRET, 'sha1').toString('hex')
const ascii = (text: string, style: (code: string) => string) =>
  text.replace(/[\u0080-\uffff]/g, (c) => style(c.charCodeAt(0).toString(16).padStart(4, '0')))
const pairs = (...lines: readonly (readonly [string, string])[]) => ({
  input: { headers: [['Content-Type', 'application/json'], ...lines] as const },
})
const twice = [
  ['x-webhook-timestamp', TIMESTAMP],
  ['x-webhook-signature', wrong],
  ['X-Webhook-Signature', right],
] as const

/** One text was signed as the timestamp, and another came. */
const clocks = (signed: string, timestamp: string): Produced => ({
  ...{ body: '{}', signed: [`${signed}.`, '{}'], timestamp },
})
const ZONED = '2025-10-09T10:53:20.678+02:00'
const bytes = Uint8Array.of(0xfb, 0xef, 0xff, 0xfe)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** The t= of another scheme, whose signature is over another time than that of the header. */
const other = digest(['1760000123.', BODY]).toString('hex')

/** One body came, and another was signed. */
const came = (
  ...rows: readonly (readonly [body: string | Buffer, signedBody: string, says?: string])[]
) =>
  Object.fromEntries(
    rows.map(([body, signedBody, says = '']) => [
      `${JSON.stringify(body)} came, and ${JSON.stringify(signedBody)} was signed`,
      { body, signedBody, says },
    ]),
  )
const each = (texts: readonly string[], fault: (text: string) => Fault) =>
  Object.fromEntries(texts.map((text) => [JSON.stringify(text), fault(text)]))

/** Each way in which a signature can be wrong, done for real. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  valid: { 'nothing is wrong': {}, 'a valid body holds U+FFFD': { body: '{"a":"\uFFFD"}' } },

  signature_upper_case: { digits: sentAs(`sha256=${digits.toUpperCase()}`) },
  signature_prefix_missing: { 'digits alone': sentAs(digits) },
  signature_prefix_other: {
    'hmac-sha256=': sentAs(`hmac-sha256=${digits}`),
    HMAC: sentAs(`HMAC ${digits}`),
    'no equals sign': sentAs(`sha256${digits}`),
  },
  signature_cut: { 'to half': sentAs(right.slice(0, 39)) },
  signature_longer: { 'zeros behind it': sentAs(`${right}0000`) },
  signature_white_space: {
    spaces: sentAs(` ${right} `),
    'quotes and spaces': sentAs(`' ${right} '`),
    'around the equals sign': sentAs(right.replace('=', ' = ')),
  },
  signature_encoding: {
    base64: sentAs(base64),
    'base64 behind the prefix': sentAs(`sha256=${base64}`),
    'base64url of the digits': sentAs(Buffer.from(digits).toString('base64url')),
    'in base64, and the line break': {
      signedBody: `${BODY}\n`,
      header: (made) => made.toString('base64'),
      also: 'body_final_newline',
    },
  },
  signature_duplicated: {
    'two lines': pairs(...twice),
    'a list': sentAs(`${wrong} , ${right} , ${wrong}`),
  },
  signature_scheme: {
    'the whole of Standard Webhooks': {
      signed: [`${ID}.${TIMESTAMP}.`, BODY],
      key: Buffer.from(bare, 'base64'),
      header: (made) => `v1,AAAA v1,${made.toString('base64')}`,
    },
    't=,v1=': { timestamp: undefined, ...sentAs(`t=${TIMESTAMP},v1=${digits},v0=00`) },
    'v1, in front': sentAs(`v1,${base64}`),
    't= in front': sentAs(`t=1760000123,v1=${other}`),
    't= behind a comma': sentAs(`v1=${other},t=1760000123`),
    't= behind a space': sentAs(`v1=${other} t=1760000123`),
  },
  signature_other_hash: {
    'SHA-1': sentAs(`sha1=${sha1}`),
    'SHA-1 behind sha256=': sentAs(`sha256=${sha1}`),
  },
  signature_malformed: {
    'SHA-512 over the body, in base64': sentAs(digest([BODY], SECRET, 'sha512').toString('base64')),
  },
  signature_missing: { 'no header': pairs(['x-webhook-timestamp', TIMESTAMP]) },

  secret_other: {
    'by name': { key: 'whsec_b', input: { otherSecrets: { a: 'whsec_a', b: 'whsec_b' } } },
  },
  secret_api_key: {
    'as it is': { key: api, input: { apiKey: api } },
    'with Bearer': { key: `Bearer ${api}`, input: { apiKey: api } },
    'over the body alone': {
      ...{ key: api, signed: [BODY], input: { apiKey: api }, also: 'message_body_alone' },
    },
  },
  secret_white_space: {
    'a line break here': given(`${SECRET}\n`),
    'a space in front at the sender': { key: ` ${SECRET}` },
    'LF here, CRLF there': { ...given(`${SECRET}\n`), key: `${SECRET}\r\n` },
    'around words here': { ...given(' two words\n'), key: 'two words' },
    'in the middle here': { ...given('whsec_ab\ncd'), key: 'whsec_abcd' },
  },
  secret_quoted: {
    'at the sender': { key: `'${SECRET}'` },
    'quotes and a line break here': given(`"${SECRET}"\n`),
  },
  secret_prefix_missing: { here: given(bare) },
  secret_prefix_left_out: { 'at the sender': { key: bare } },
  secret_prefix_doubled: {
    here: given(`whsec_${SECRET}`),
    'at the sender, none here': { ...given(bare), key: `whsec_${SECRET}` },
    'before one that ends it': { ...given('a_whsec_'), key: 'whsec_whsec_a_whsec_' },
  },
  secret_decoded: {
    hexadecimal: { key: Buffer.from(bare, 'hex') },
    base64url: { ...given('whsec_--___g'), key: bytes },
    base64: { ...given('whsec_++///g=='), key: bytes },
    'base64 that lost half its padding': { ...given('whsec_YQ='), key: 'a' },
  },
  secret_encoded: {
    base64: { key: Buffer.from(SECRET).toString('base64') },
    URL: { ...given('whsec_a%2Bb'), key: 'whsec_a+b' },
  },

  message_body_alone: {
    'as it is': { signed: [BODY] },
    'no timestamp either': { signed: [BODY], timestamp: undefined },
    'and other spacing': {
      ...{ signed: [BODY], body: bodies['2 spaces'].body, also: 'body_reserialized' },
    },
  },
  message_separator: each(['', ':', '|', '..', '\r\n'], (separator) => ({
    signed: [TIMESTAMP + separator, BODY],
  })),
  message_with_id: each(
    [`${ID}.${TIMESTAMP}.`, `${TIMESTAMP}.${ID}.`, `${ID}:${TIMESTAMP}:`, ID],
    (prefix) => ({ signed: [prefix, BODY] }),
  ),
  message_order: { 'the body first': { signed: [BODY, `.${TIMESTAMP}`] } },
  message_without_body: each(['', '[object Object]', '{}'], (text) => ({
    signed: [`${TIMESTAMP}.${text}`],
  })),

  timestamp_form: {
    'milliseconds signed': { signed: [`${INSTANT}.`, BODY] },
    'HTTP-date sent': {
      signed: [`${TIMESTAMP}.`, BODY],
      timestamp: new Date(INSTANT).toUTCString(),
    },
    ...each(
      [
        ...['1760000000', '1760000000.678', '1760000000678000', '2025-10-09T08:53:20'],
        ...['2025-10-09T08:53:20Z', '2025-10-09T08:53:20.678000Z', 'Thu, 09 Oct 2025 08:53:20 GMT'],
      ],
      (signed) => clocks(signed, ZONED),
    ),
    'a decimal point came': clocks('1760000000678', '1760000000.678'),
    ...each(['2025-10-09 08:53:20.678Z', ZONED, ' 1760000000678 '], (timestamp) =>
      clocks('1760000000678', timestamp),
    ),
    'white space around what is no time': clocks('soon', ' soon\t'),
  },
  timestamp_duplicated: {
    'another in front': clocks('1760000000', '1,1760000000'),
    'another behind': clocks('1760000000', '1760000000,  1'),
    'two lines, of which the first is right': pairs(
      ['x-webhook-timestamp', TIMESTAMP],
      ['x-webhook-signature', right],
      ['x-webhook-timestamp', '1'],
    ),
    'both headers, in two lines': {
      ...pairs(['x-webhook-timestamp', '1'], ...twice),
      also: 'signature_duplicated',
    },
  },
  timestamp_missing: {
    'no header': pairs(['x-webhook-signature', wrong]),
    // No word is taken for a timestamp that did not come.
    ...each([`${ID}.undefined.${BODY}`, `undefined${BODY}`, 'undefined.'], (text) => ({
      ...{ signed: [text], timestamp: undefined },
    })),
  },

  body_reserialized: {
    '2 spaces came': { signedBody: BODY, body: bodies['2 spaces'].body },
    'JSON.stringify signed, and lost what JSON.parse loses': {
      signedBody: JSON.stringify(JSON.parse(BODY)),
    },
    'an encoder of Go signed, with its line break': {
      signedBody: `${BODY.replace(/[<>&\u2028]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
      body: bodies['2 spaces'].body,
    },
    ...came(
      ['{"a": 1}', '{"a":1}', 'written as JSON without white space.'],
      [
        '{"a": "<b>"}',
        '{"a":"\\u003cb\\u003e"}',
        'written as JSON without white space and with escapes for <, > and &, as in Go and Rails.',
      ],
      [
        '{"a": "<b>"}',
        '{"a":"\\u003cb\\u003e"}\n',
        'with escapes for <, > and &, as in Go and Rails, with a line break at the end.',
      ],
    ),
  },
  body_escapes: {
    'literals signed, escapes came': { signedBody: BODY, body: bodies['compact, ascii'].body },
    'PHP signed': { signedBody: ascii(BODY, (code) => `\\u${code}`).replaceAll('/', '\\/') },
    'PHP with JSON_UNESCAPED_UNICODE signed': {
      signedBody: BODY.replaceAll('/', '\\/').replaceAll('\u2028', '\\u2028'),
    },
    ...came(['{"a":"é"}', '{"a":"\\u00e9"}', 'with \\u escapes for all but ASCII, as in Python']),
  },
  body_keys_sorted: {
    compact: { signedBody: bodies.sorted.body },
    ...came(
      [
        '{"b":"/é","a":1}',
        '{"a":1,"b":"\\/é"}',
        'written as JSON without white space and with escapes for slashes, as in PHP',
      ],
      ['[{"b":1,"a":2}]', '[{"a":2,"b":1}]'],
      ['{"b":{"d":1,"c":[]},"a":2}', '{"a":2,"b":{"c":[],"d":1}}'],
      ['{"b":1,"a":2,"a":3}', '{"a":2,"a":3,"b":1}'],
    ),
  },
  body_final_newline: came(
    [`${BODY}\n`, BODY],
    [BODY, `${BODY}\n`],
    ['a', 'a\r', 'with another line break, or none, at its end'],
  ),
  body_line_breaks: came(
    ['a\rb', 'a\nb', 'with its line breaks written as LF'],
    ['a\nb', 'a\r\nb', 'with its line breaks written as CRLF'],
    ['a\nb', 'a\rb', 'with its line breaks written as CR'],
  ),
  // The first byte of a full-width digit is that of a byte order mark.
  body_bom: came(['１', '\uFEFF１', 'with a byte order mark'], [`\uFEFF${BODY}`, BODY]),
  body_recoded: came(
    [latin1('"\xff"'), '"\uFFFD"', 'with U+FFFD for what is not UTF-8'],
    [latin1('"é"'), '"é"', 'read as Latin-1 and written as UTF-8'],
    ['{"a":"Ã©"}', '{"a":"é"}'],
  ),
  body_quoted: came(['"{\\"a\\":1}"', '{"a":1}', 'that is inside its JSON string']),
  body_base64: came(['eyJhIjoxfQ==\r\n', '{"a":1}', 'decoded from base64']),
  body_trimmed: came(
    [`  ${BODY}\n\n`, BODY],
    ['  [] \n\n', '  []'],
    ...['\r\n[]', '\n[]\n', '[] ', '[]\r\n\r\n', '[]\0'].map((signed) => ['[]', signed] as const),
    ['[]\0', '[]'],
  ),

  body_empty: {
    'nothing came': { signedBody: BODY, body: '' },
    'nothing came, and {} was signed': { signed: [TIMESTAMP, '.{}'], body: '' },
  },
  body_lossy: {
    'U+FFFD came': { signed: [`${TIMESTAMP}.`, latin1('{"a":"\xff"}')], body: '{"a":"\uFFFD"}' },
  },
  body_inflated: {
    'Content-Encoding came': { signedBody: 'something', headers: { 'Content-Encoding': 'br' } },
  },
  body_length_changed: {
    'another Content-Length': { signedBody: 'something', headers: { 'content-length': '9' } },
  },
}

export const cases: readonly Case[] = Object.entries(FAULTS).flatMap(([code, faults]) =>
  Object.entries(faults).map(([what, { says = '', also, ...fault }]) => ({
    ...{ code, what, says, also },
    input: { ...produced(fault), ...fault.input },
  })),
)
