import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Header, headerValue, withHeader } from '@webhook-receiver/emulator/internal'
import { compact, cutOff, gzipped, indented } from '../json-format.ts'
import type { Runs } from '../probe.ts'
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
import { rejected } from './simple.ts'

const DAY = 86_400
const ANOTHER = 'whsec_another'

/** A body with a signed U+FFFD, and a change of its bytes. */
function altered(change: (body: Buffer) => Buffer): Variant {
  return { text: 'lost: \ufffd', change: ({ body }) => ({ body: change(body) }) }
}

/** Written to its end before anything is read, as many clients do. */
const unread = { send: { read_after_write: true } } as const

const oversized = { noResponse: 'body-not-read' } as const

const unparsed = { failure: 'parse-failure-5xx' } as const

/** All probes that should be rejected, each on a separate connection. */
export const rejectedProbes: Runs = {
  // Signatures that are not the one of what is sent, and bodies that are not what was signed.
  'forged-secret': rejected({ secret: `whsec_${randomBytes(16).toString('hex')}` }),
  'forged-no-secret': rejected(['', 'undefined', 'null'].map((secret) => ({ secret }))),
  'forged-no-signature': rejected({ unsigned: true }),
  'forged-no-timestamp': rejected(
    ['', 'undefined'].map((timestamp) => ({ timestamp, change: without(TIMESTAMP) })),
  ),
  'forged-one-bit': rejected({ change: signedAs(withLastBitFlipped) }),
  'forged-truncated': rejected(
    [7, 8, 39, 70].map((length) => ({ change: signedAs((value) => value.slice(0, length)) })),
  ),
  // "sha256=" stays: only the digest is in question.
  'forged-upper-case': rejected({
    change: signedAs((value) => value.slice(0, 7) + value.slice(7).toUpperCase()),
  }),
  'forged-base64': rejected({
    change: signedAs((value) => `sha256=${Buffer.from(value.slice(7), 'hex').toString('base64')}`),
  }),
  'forged-two-signatures': rejected([
    { change: ({ headers, body }) => ({ headers: [...headers, wrongSignature(body)] }) },
    { change: ({ headers, body }) => ({ headers: [wrongSignature(body), ...headers] }) },
  ]),
  'forged-body-only': rejected({
    change: (request, { secret }) => resigned(request, signature(secret, '', request.body)),
  }),
  'altered-body': rejected({
    text: INSTANCE,
    change: ({ body }) => ({ body: inOtherCase(body) }),
  }),
  'altered-newline': rejected(altered((body) => Buffer.concat([body, Buffer.from('\n')]))),
  'altered-mark': rejected(altered((body) => Buffer.concat([Buffer.from('\ufeff'), body]))),
  'altered-replacement': rejected(altered((body) => replaced(body, '\ufffd', Buffer.of(0xff)))),
  'altered-spelling': rejected({
    format: indented,
    change: (request, { secret }) => {
      const start = `${headerValue(request.headers, TIMESTAMP)}.`
      const written = Buffer.from(compact(JSON.parse(request.body.toString())))
      return resigned(request, signature(secret, start, written))
    },
  }),
  // Valid signatures at another time than now.
  'time-stale': rejected({ ahead: -DAY }),
  'time-future': rejected({ ahead: DAY }),
  'time-unreadable': rejected(['soon', 'NaN', '-1'].map((timestamp) => ({ timestamp }))),
  'time-replaced': rejected({
    ahead: -DAY,
    change: ({ headers }, settings) => ({
      headers: withHeader(headers, TIMESTAMP, unixSeconds(settings)),
    }),
  }),
  'size-announced': rejected({ large: true, change: () => unread }, oversized),
  'size-chunked': rejected(
    { large: true, change: () => ({ ...unread, framing: { chunked: 65_536 } }) },
    oversized,
  ),
  'size-unsigned': rejected({ large: true, unsigned: true, change: () => unread }, oversized),
  // Invalid for another reason than their signature.
  'method-put': rejected(
    { change: () => ({ method: 'PUT' }) },
    { expects: '4xx or 501', also: ({ outcome }) => outcome === '501' },
  ),
  'coded-gzip': rejected(
    { format: gzipped, change: coded },
    { expects: '4xx, or 2xx where it is inflated after verification', also: isAccepted },
  ),
  'coded-gzip-inflated': rejected({
    change: (request) => ({ ...coded(request), body: gzipSync(request.body) }),
  }),
  'json-broken': rejected({ format: cutOff }, unparsed),
  'json-other': rejected(
    ['', 'null', '[]', '{}'].map((text) => ({ format: () => text })),
    unparsed,
  ),
  'json-broken-forged': rejected({ format: cutOff, secret: ANOTHER }, { failure: 'parser-first' }),
}

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
