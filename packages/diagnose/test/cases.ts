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

export interface Case {
  readonly code: string
  readonly also?: string
  /** A part of what the finding says. */
  readonly says?: string
  readonly what: string
  readonly input: DiagnosisInput
}

const bare = SECRET.slice('whsec_'.length)
const hex = (mac: Buffer) => mac.toString('hex')
const right = `sha256=${hex(digest([`${TIMESTAMP}.`, BODY]))}`
const wrong = `sha256=${'ab'.repeat(32)}`

const api = 'key_live_1234'
const given = (secret: string) => ({ input: { secrets: secret } })
const sentAs = (signature: string) => ({ headers: { 'X-Webhook-Signature': signature } })
const sha1 = hex(digest([`${TIMESTAMP}.`, BODY], SECRET, 'sha1'))
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
const base64 = digest([`${TIMESTAMP}.`, BODY]).toString('base64')
/** The t= of another scheme, whose signature is over another time than that of the header. */
const other = hex(digest(['1760000123.', BODY]))

/** Each way in which a signature can be wrong, done for real. */
const faults: readonly (readonly [
  code: string,
  what: string,
  Produced,
  more?: Pick<Case, 'also' | 'says'>,
])[] = [
  ['valid', 'nothing is wrong', {}],
  ['valid', 'a valid body holds U+FFFD', { body: '{"a":"\uFFFD"}' }],

  ['signature_upper_case', 'digits', { header: (mac) => `sha256=${hex(mac).toUpperCase()}` }],
  ['signature_prefix_missing', 'digits alone', { header: hex }],
  ['signature_prefix_other', 'hmac-sha256=', { header: (mac) => `hmac-sha256=${hex(mac)}` }],
  ['signature_cut', 'to half', { header: (mac) => `sha256=${hex(mac).slice(0, 32)}` }],
  ['signature_longer', 'zeros behind it', { header: (mac) => `sha256=${hex(mac)}0000` }],
  ['signature_white_space', 'spaces', { header: (mac) => ` sha256=${hex(mac)} ` }],
  ['signature_encoding', 'base64', { header: (mac) => mac.toString('base64') }],
  [
    'signature_encoding',
    'base64 behind the prefix',
    { header: (mac) => `sha256=${mac.toString('base64')}` },
  ],
  ['signature_duplicated', 'two lines', pairs(...twice)],
  [
    'signature_scheme',
    'the whole of Standard Webhooks',
    {
      signed: [`${ID}.${TIMESTAMP}.`, BODY],
      key: Buffer.from(bare, 'base64'),
      header: (mac) => `v1,AAAA v1,${mac.toString('base64')}`,
    },
  ],
  [
    'signature_scheme',
    't=,v1=',
    { timestamp: undefined, header: (mac) => `t=${TIMESTAMP},v1=${hex(mac)},v0=00` },
  ],
  ['signature_duplicated', 'a list', sentAs(`${wrong} , ${right} , ${wrong}`)],
  ['signature_white_space', 'quotes and spaces', sentAs(`' ${right} '`)],
  ['signature_white_space', 'around the equals sign', sentAs(right.replace('=', ' = '))],
  ['signature_prefix_other', 'HMAC', { header: (mac) => `HMAC ${hex(mac)}` }],
  ['signature_prefix_other', 'no equals sign', { header: (mac) => `sha256${hex(mac)}` }],
  [
    'signature_encoding',
    'base64url of the digits',
    sentAs(Buffer.from(right.slice(7)).toString('base64url')),
  ],
  ['signature_scheme', 'v1, in front', sentAs(`v1,${base64}`)],
  ['signature_scheme', 't= in front', sentAs(`t=1760000123,v1=${other}`)],
  ['signature_scheme', 't= behind a comma', sentAs(`v1=${other},t=1760000123`)],
  ['signature_scheme', 't= behind a space', sentAs(`v1=${other} t=1760000123`)],
  ['signature_other_hash', 'SHA-1', sentAs(`sha1=${sha1}`)],
  ['signature_other_hash', 'SHA-1 behind sha256=', sentAs(`sha256=${sha1}`)],
  [
    'signature_malformed',
    'SHA-512 over the body, in base64',
    sentAs(digest([BODY], SECRET, 'sha512').toString('base64')),
  ],
  ['signature_missing', 'no header', pairs(['x-webhook-timestamp', TIMESTAMP])],

  [
    'secret_other',
    'by name',
    { key: 'whsec_b', input: { otherSecrets: { a: 'whsec_a', b: 'whsec_b' } } },
  ],
  ['secret_api_key', 'as it is', { key: api, input: { apiKey: api } }],
  ['secret_api_key', 'with Bearer', { key: `Bearer ${api}`, input: { apiKey: api } }],
  ['secret_white_space', 'a line break here', given(`${SECRET}\n`)],
  ['secret_quoted', 'at the sender', { key: `'${SECRET}'` }],
  ['secret_prefix_missing', 'here', given(bare)],
  ['secret_prefix_left_out', 'at the sender', { key: bare }],
  ['secret_prefix_doubled', 'here', given(`whsec_${SECRET}`)],
  ['secret_decoded', 'hexadecimal', { key: Buffer.from(bare, 'hex') }],
  ['secret_encoded', 'base64', { key: Buffer.from(SECRET).toString('base64') }],
  ['secret_encoded', 'URL', { ...given('whsec_a%2Bb'), key: 'whsec_a+b' }],

  ['secret_white_space', 'a space in front at the sender', { key: ` ${SECRET}` }],
  ['secret_white_space', 'LF here, CRLF there', { ...given(`${SECRET}\n`), key: `${SECRET}\r\n` }],
  ['secret_white_space', 'around words here', { ...given(' two words\n'), key: 'two words' }],
  ['secret_white_space', 'in the middle here', { ...given('whsec_ab\ncd'), key: 'whsec_abcd' }],
  ['secret_quoted', 'quotes and a line break here', given(`"${SECRET}"\n`)],
  ['secret_prefix_doubled', 'at the sender, none here', { ...given(bare), key: `whsec_${SECRET}` }],
  [
    'secret_prefix_doubled',
    'before one that ends it',
    { ...given('a_whsec_'), key: 'whsec_whsec_a_whsec_' },
  ],
  ['secret_decoded', 'base64url', { ...given('whsec_--___g'), key: bytes }],
  ['secret_decoded', 'base64', { ...given('whsec_++///g=='), key: bytes }],
  ['secret_decoded', 'base64 that lost half its padding', { ...given('whsec_YQ='), key: 'a' }],

  ['message_body_alone', 'as it is', { signed: [BODY] }],
  ['message_body_alone', 'no timestamp either', { signed: [BODY], timestamp: undefined }],
  ...['', ':', '|', '..', '\r\n'].map(
    (separator) =>
      [
        ...(['message_separator', JSON.stringify(separator)] as const),
        { signed: [`${TIMESTAMP}${separator}`, BODY] },
      ] as const,
  ),
  ...[`${ID}.${TIMESTAMP}.`, `${TIMESTAMP}.${ID}.`, `${ID}:${TIMESTAMP}:`, ID].map(
    (prefix) => ['message_with_id', prefix, { signed: [prefix, BODY] }] as const,
  ),
  ['message_order', 'the body first', { signed: [BODY, `.${TIMESTAMP}`] }],
  ['message_without_body', 'empty', { signed: [`${TIMESTAMP}.`] }],
  ['message_without_body', 'an object as text', { signed: [TIMESTAMP, '.[object Object]'] }],
  ['message_without_body', 'an empty object', { signed: [TIMESTAMP, '.{}'] }],

  ['timestamp_form', 'milliseconds signed', { signed: [`${INSTANT}.`, BODY] }],
  [
    'timestamp_form',
    'HTTP-date sent',
    { signed: [`${TIMESTAMP}.`, BODY], timestamp: new Date(INSTANT).toUTCString() },
  ],
  ...[
    ...['1760000000', '1760000000.678', '1760000000678000', '2025-10-09T08:53:20'],
    ...['2025-10-09T08:53:20Z', '2025-10-09T08:53:20.678000Z', 'Thu, 09 Oct 2025 08:53:20 GMT'],
  ].map((signed) => ['timestamp_form', `${signed} signed`, clocks(signed, ZONED)] as const),
  ...['1760000000.678', '2025-10-09 08:53:20.678Z', ZONED, ' 1760000000678 '].map(
    (came) => ['timestamp_form', `${came} came`, clocks('1760000000678', came)] as const,
  ),
  ['timestamp_form', 'white space around what is no time', clocks('soon', ' soon\t')],
  ['timestamp_duplicated', 'another in front', clocks('1760000000', '1,1760000000')],
  ['timestamp_duplicated', 'another behind', clocks('1760000000', '1760000000,  1')],
  [
    'timestamp_duplicated',
    'two lines, of which the first is right',
    pairs(
      ['x-webhook-timestamp', TIMESTAMP],
      ['x-webhook-signature', right],
      ['x-webhook-timestamp', '1'],
    ),
  ],
  [
    'timestamp_duplicated',
    'both headers, in two lines',
    pairs(['x-webhook-timestamp', '1'], ...twice),
    { also: 'signature_duplicated' },
  ],
  ['timestamp_missing', 'no header', { ...pairs(['x-webhook-signature', wrong]) }],
  // No word is taken for a timestamp that did not come.
  ['timestamp_missing', 'a word', { signed: [`${ID}.undefined.`, BODY], timestamp: undefined }],
  ['timestamp_missing', 'no dot', { signed: ['undefined', BODY], timestamp: undefined }],
  ['timestamp_missing', 'no body', { signed: ['undefined.'], timestamp: undefined }],

  ['body_reserialized', '2 spaces came', { signedBody: BODY, body: bodies['2 spaces'].body }],
  [
    'body_reserialized',
    'JSON.stringify signed, and lost what JSON.parse loses',
    { signedBody: JSON.stringify(JSON.parse(BODY)) },
  ],
  [
    'body_reserialized',
    'an encoder of Go signed, with its line break',
    {
      signedBody: `${BODY.replace(/[<>&\u2028]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
      body: bodies['2 spaces'].body,
    },
  ],
  [
    'body_escapes',
    'literals signed, escapes came',
    { signedBody: BODY, body: bodies['compact, ascii'].body },
  ],
  [
    'body_escapes',
    'PHP signed',
    { signedBody: ascii(BODY, (code) => `\\u${code}`).replaceAll('/', '\\/') },
  ],
  [
    'body_escapes',
    'PHP with JSON_UNESCAPED_UNICODE signed',
    { signedBody: BODY.replaceAll('/', '\\/').replaceAll('\u2028', '\\u2028') },
  ],
  ['body_keys_sorted', 'compact', { signedBody: bodies.sorted.body }],
  ['body_final_newline', 'added on the way', { signedBody: BODY, body: `${BODY}\n` }],
  ['body_final_newline', 'removed on the way', { signedBody: `${BODY}\n` }],
  ...(
    [
      ['body_final_newline', 'a', 'a\r', 'with another line break, or none, at its end'],
      ['body_line_breaks', 'a\rb', 'a\nb', 'with its line breaks written as LF'],
      ['body_line_breaks', 'a\nb', 'a\r\nb', 'with its line breaks written as CRLF'],
      ['body_line_breaks', 'a\nb', 'a\rb', 'with its line breaks written as CR'],
      // The first byte of a full-width digit is that of a byte order mark.
      ['body_bom', '１', '\uFEFF１', 'with a byte order mark'],
      ['body_bom', `\uFEFF${BODY}`, BODY],
      ['body_reserialized', '{"a": 1}', '{"a":1}', 'written as JSON without white space.'],
      [
        ...(['body_reserialized', '{"a": "<b>"}', '{"a":"\\u003cb\\u003e"}'] as const),
        'written as JSON without white space and with escapes for <, > and &, as in Go and Rails.',
      ],
      [
        ...(['body_reserialized', '{"a": "<b>"}', '{"a":"\\u003cb\\u003e"}\n'] as const),
        'with escapes for <, > and &, as in Go and Rails, with a line break at the end.',
      ],
      [
        ...(['body_escapes', '{"a":"é"}', '{"a":"\\u00e9"}'] as const),
        'with \\u escapes for all but ASCII, as in Python',
      ],
      [
        ...(['body_keys_sorted', '{"b":"/é","a":1}', '{"a":1,"b":"\\/é"}'] as const),
        'written as JSON without white space and with escapes for slashes, as in PHP',
      ],
      ['body_keys_sorted', '[{"b":1,"a":2}]', '[{"a":2,"b":1}]'],
      ['body_keys_sorted', '{"b":{"d":1,"c":[]},"a":2}', '{"a":2,"b":{"c":[],"d":1}}'],
      ['body_keys_sorted', '{"b":1,"a":2,"a":3}', '{"a":2,"a":3,"b":1}'],
      ['body_recoded', latin1('"\xff"'), '"\uFFFD"', 'with U+FFFD for what is not UTF-8'],
      ['body_recoded', latin1('"é"'), '"é"', 'read as Latin-1 and written as UTF-8'],
      ['body_recoded', '{"a":"Ã©"}', '{"a":"é"}'],
      ['body_quoted', '"{\\"a\\":1}"', '{"a":1}', 'that is inside its JSON string'],
      ['body_base64', 'eyJhIjoxfQ==\r\n', '{"a":1}', 'decoded from base64'],
      ['body_trimmed', `  ${BODY}\n\n`, BODY],
      ['body_trimmed', '  [] \n\n', '  []'],
      ['body_trimmed', '[]', '\r\n[]'],
      ['body_trimmed', '[]', '\n[]\n'],
      ['body_trimmed', '[]', '[] '],
      ['body_trimmed', '[]', '[]\r\n\r\n'],
      ['body_trimmed', '[]', '[]\0'],
      ['body_trimmed', '[]\0', '[]'],
    ] as const
  ).map(
    ([code, body, signedBody, says = '']) =>
      [code, `${JSON.stringify(body)} came`, { body, signedBody }, { says }] as const,
  ),
  [
    'secret_api_key',
    'over the body alone',
    { key: api, signed: [BODY], input: { apiKey: api } },
    { also: 'message_body_alone' },
  ],
  [
    'message_body_alone',
    'and other spacing',
    { signed: [BODY], body: bodies['2 spaces'].body },
    { also: 'body_reserialized' },
  ],
  [
    'signature_encoding',
    'in base64, and the line break',
    { signedBody: `${BODY}\n`, header: (mac) => mac.toString('base64') },
    { also: 'body_final_newline' },
  ],

  ['body_empty', 'nothing came', { signedBody: BODY, body: '' }],
  ['body_empty', 'nothing came, and {} was signed', { signed: [TIMESTAMP, '.{}'], body: '' }],
  [
    'body_lossy',
    'U+FFFD came',
    { signedBody: Buffer.from('{"a":"\xff"}', 'latin1'), body: '{"a":"\uFFFD"}' },
  ],
  [
    'body_inflated',
    'Content-Encoding came',
    { signedBody: 'something', headers: { 'Content-Encoding': 'br' } },
  ],
  [
    'body_length_changed',
    'another Content-Length',
    { signedBody: 'something', headers: { 'content-length': '9' } },
  ],
]

export const cases: readonly Case[] = faults.map(([code, what, fault, more]) => ({
  code,
  what,
  input: { ...produced(fault), ...fault.input },
  ...more,
}))
