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

/** Each way in which a signature can be wrong, done for real. */
const faults: readonly (readonly [string, what: string, Produced, also?: string])[] = [
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

  ['message_body_alone', 'as it is', { signed: [BODY] }],
  ['message_body_alone', 'no timestamp either', { signed: [BODY], timestamp: undefined }],
  ['message_separator', 'nothing between', { signed: [TIMESTAMP, BODY] }],
  ['message_with_id', 'id.timestamp.body', { signed: [`${ID}.${TIMESTAMP}.`, BODY] }],
  ['message_order', 'the body first', { signed: [BODY, `.${TIMESTAMP}`] }],
  ['message_without_body', 'empty', { signed: [`${TIMESTAMP}.`] }],

  ['timestamp_form', 'milliseconds signed', { signed: [`${INSTANT}.`, BODY] }],
  [
    'timestamp_form',
    'HTTP-date sent',
    { signed: [`${TIMESTAMP}.`, BODY], timestamp: new Date(INSTANT).toUTCString() },
  ],
  [
    'timestamp_duplicated',
    'both headers, in two lines',
    pairs(['x-webhook-timestamp', '1'], ...twice),
    'signature_duplicated',
  ],
  ['timestamp_missing', 'no header', { ...pairs(['x-webhook-signature', wrong]) }],

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
  ['body_line_breaks', 'LF to CRLF', { signedBody: '{\n"a": 1\n}', body: '{\r\n"a": 1\r\n}' }],
  ['body_trimmed', 'padded on the way', { signedBody: BODY, body: `  ${BODY}\n\n` }],
  ['body_bom', 'added on the way', { signedBody: BODY, body: `\uFEFF${BODY}` }],
  ['body_recoded', 'UTF-8 read as Latin-1', { signedBody: '{"a":"é"}', body: '{"a":"Ã©"}' }],
  ['body_quoted', 'as a JSON string', { signedBody: BODY, body: JSON.stringify(BODY) }],
  ['body_base64', 'by a gateway', { signedBody: BODY, body: Buffer.from(BODY).toString('base64') }],
  [
    'secret_api_key',
    'over the body alone',
    { key: api, signed: [BODY], input: { apiKey: api } },
    'message_body_alone',
  ],
  [
    'message_body_alone',
    'and other spacing',
    { signed: [BODY], body: bodies['2 spaces'].body },
    'body_reserialized',
  ],
  [
    'signature_encoding',
    'in base64, and the line break',
    { signedBody: `${BODY}\n`, header: (mac) => mac.toString('base64') },
    'body_final_newline',
  ],

  ['body_empty', 'nothing came', { signedBody: BODY, body: '' }],
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

export const cases: readonly Case[] = faults.map(([code, what, fault, also]) => ({
  code,
  what,
  input: { ...produced(fault), ...fault.input },
  ...(also && { also }),
}))
