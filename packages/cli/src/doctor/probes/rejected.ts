import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, headerValue, withHeader } from '@webhook-receiver/emulator/internal'
import { compact, cutOff, gzipped, indented } from '../json-format.ts'
import type { Probe } from '../probe.ts'
import {
  INSTANCE,
  type ProbeRequest,
  SIGNATURE,
  signature,
  signedAs,
  TIMESTAMP,
  unixSeconds,
  type Variant,
  without,
} from '../request.ts'
import { isAccepted } from '../response.ts'
import { rejectedIn } from './simple.ts'

const DAY = 86_400
const ANOTHER = 'whsec_another'

const forged = rejectedIn('forged')
const mistimed = rejectedIn('time')
const oversized = rejectedIn('size', { noResponse: 'body-not-read' })
const invalid = rejectedIn('invalid')

/** A body with a signed U+FFFD, and a change of its bytes. */
function altered(change: (body: Buffer) => Buffer): Variant {
  return { text: 'lost: \ufffd', change: ({ body }) => ({ body: change(body) }) }
}

/** Signatures that are not the one of what is sent, and bodies that are not what was signed. */
const forgedProbes: readonly Probe[] = [
  forged('forged-secret', 'signed with another secret', 'verifies-nothing', {
    secret: `whsec_${randomBytes(16).toString('hex')}`,
  }),
  forged('forged-no-secret', 'signed with no secret', 'secret-unset', [
    { secret: '' },
    { secret: 'undefined' },
    { secret: 'null' },
  ]),
  forged('forged-no-signature', 'without a signature', 'headers-optional', { unsigned: true }),
  forged('forged-no-timestamp', 'no X-Webhook-Timestamp', 'headers-optional', [
    { timestamp: '', change: without(TIMESTAMP) },
    { timestamp: 'undefined', change: without(TIMESTAMP) },
  ]),
  forged('forged-one-bit', 'one bit of the signature changed', 'prefix-compared', {
    change: signedAs(withLastBitFlipped),
  }),
  forged(
    'forged-truncated',
    'the signature cut off',
    'prefix-compared',
    [7, 8, 39, 70].map((length) => ({ change: signedAs((value) => value.slice(0, length)) })),
  ),
  forged('forged-upper-case', 'upper-case hex', 'lenient-signature', {
    // "sha256=" stays: only the digest is in question.
    change: signedAs((value) => value.slice(0, 7) + value.slice(7).toUpperCase()),
  }),
  forged('forged-base64', 'base64 in place of hex', 'lenient-signature', {
    change: signedAs((value) => `sha256=${Buffer.from(value.slice(7), 'hex').toString('base64')}`),
  }),
  forged('forged-two-signatures', 'two signatures, one of them right', 'several-signatures', [
    { change: ({ headers, body }) => ({ headers: [...headers, wrongSignature(body)] }) },
    { change: ({ headers, body }) => ({ headers: [wrongSignature(body), ...headers] }) },
  ]),
  forged('forged-body-only', 'a MAC over the body alone', 'timestamp-unsigned', {
    change: (request, { secret }) => resigned(request, signature(secret, '', request.body)),
  }),
  forged('altered-body', 'one character of the body changed', 'verifies-nothing', {
    text: INSTANCE,
    change: ({ body }) => ({ body: inOtherCase(body) }),
  }),
  forged(
    'altered-newline',
    'a line feed added',
    'decoded-text',
    altered((body) => Buffer.concat([body, Buffer.from('\n')])),
  ),
  forged(
    'altered-mark',
    'a byte order mark added',
    'decoded-text',
    altered((body) => Buffer.concat([Buffer.from('\ufeff'), body])),
  ),
  forged(
    'altered-replacement',
    'byte FF in place of a signed U+FFFD',
    'decoded-text',
    altered((body) => replaced(body, '\ufffd', Buffer.of(0xff))),
  ),
  forged('altered-spelling', 'indented, its MAC over compact JSON', 'reserialised-json', {
    format: indented,
    change: (request, { secret }) => {
      const start = `${headerValue(request.headers, TIMESTAMP)}.`
      const written = Buffer.from(compact(JSON.parse(request.body.toString())))
      return resigned(request, signature(secret, start, written))
    },
  }),
]

/** Valid signatures at another time than now. */
const timeProbes: readonly Probe[] = [
  mistimed('time-stale', 'a valid signature of yesterday', 'any-timestamp', { ahead: -DAY }),
  mistimed('time-future', 'a valid signature of tomorrow', 'future-timestamp', { ahead: DAY }),
  mistimed(
    'time-unreadable',
    'signed, the timestamp is not a time',
    'unreadable-timestamp',
    ['soon', 'NaN', '-1'].map((timestamp) => ({ timestamp })),
  ),
  mistimed('time-replaced', 'stale, with a fresh timestamp put in', 'timestamp-unsigned', {
    ahead: -DAY,
    change: ({ headers }, settings) => ({
      headers: withHeader(headers, TIMESTAMP, unixSeconds(settings)),
    }),
  }),
]

/** Written to its end before anything is read, as many clients do. */
const unread = { send: { read_after_write: true } } as const

const sizeProbes: readonly Probe[] = [
  oversized('size-announced', 'too large by its Content-Length', 'no-limit', {
    large: true,
    change: () => unread,
  }),
  oversized('size-chunked', 'too large, chunked', 'no-limit', {
    large: true,
    change: () => ({ ...unread, framing: { chunked: 65_536 } }),
  }),
  oversized('size-unsigned', 'too large, without a signature', 'headers-optional', {
    large: true,
    unsigned: true,
    change: () => unread,
  }),
]

/** Requests that are invalid for another reason than their signature. */
const invalidProbes: readonly Probe[] = [
  invalid(
    'method-put',
    'a valid delivery by PUT',
    'method',
    { change: () => ({ method: 'PUT' }) },
    { expects: '4xx or 501', also: ({ outcome }) => outcome === '501' },
  ),
  invalid(
    'coded-gzip',
    'gzip, the MAC over what is sent',
    'rejection-5xx',
    { format: gzipped, change: coded },
    { expects: '4xx, or 2xx where it is inflated after verification', also: isAccepted },
  ),
  invalid('coded-gzip-inflated', 'gzip, the MAC over what it inflates to', 'inflates', {
    change: (request) => ({ ...coded(request), body: gzipSync(request.body) }),
  }),
  invalid(
    'json-broken',
    'signed, but no JSON',
    'unreadable-accepted',
    { format: cutOff },
    { failure: 'parse-failure-5xx' },
  ),
  invalid(
    'json-other',
    'signed, but not a delivery',
    'unreadable-accepted',
    ['', 'null', '[]', '{}'].map((text) => ({ format: () => text })),
    { failure: 'parse-failure-5xx' },
  ),
  invalid(
    'json-broken-forged',
    'no JSON, signed with another secret',
    'verifies-nothing',
    { format: cutOff, secret: ANOTHER },
    { failure: 'parser-first' },
  ),
]

/** All probes that should be rejected, each on a separate connection. */
export const rejectedProbes: readonly Probe[] = [
  ...forgedProbes,
  ...timeProbes,
  ...sizeProbes,
  ...invalidProbes,
]

function withLastBitFlipped(value: string): string {
  return value.slice(0, -1) + (Number.parseInt(value.slice(-1), 16) ^ 1).toString(16)
}

function wrongSignature(body: Buffer): Header {
  return [SIGNATURE, signature(ANOTHER, '0.', body)]
}

function resigned({ headers }: ProbeRequest, value: string): Partial<ProbeRequest> {
  return { headers: withHeader(headers, SIGNATURE, value) }
}

function replaced(body: Buffer, from: string, to: Buffer): Buffer {
  const at = body.indexOf(from)
  return Buffer.concat([body.subarray(0, at), to, body.subarray(at + Buffer.byteLength(from))])
}

/** The last letter in the other case: a JSON text of the same length. */
function inOtherCase(body: Buffer): Buffer {
  const last = body.findLastIndex((byte) => /[a-z]/i.test(String.fromCharCode(byte)))
  return Buffer.from(body.map((byte, at) => (at === last ? byte ^ 0x20 : byte)))
}

function coded({ headers }: ProbeRequest): Partial<ProbeRequest> {
  return { headers: [...headers, ['Content-Encoding', 'gzip']] }
}
