import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { tamperedWord } from '@webhook-receiver/core/internal'
import { inFormOf } from '@webhook-receiver/emulator/internal'
import { otherDigest, withSignedTime, withTimestamp } from '@webhook-receiver/schemes/neighbours'
import type { Runs } from '../probe.ts'
import { INSTANCE, type ProbeRequest, type Variant } from '../request.ts'
import { isAccepted } from '../response.ts'
import { compact, cutOff, gzipped, indented } from './json-format.ts'
import { OTHERWISE, signedWith } from './mistakes.ts'
import { IN_OTHER_HEADERS, inTwoHeaders, signatureAlone, signedAs } from './signature.ts'
import { rejected } from './simple.ts'
import { clocksBeside, timestampTo, withoutTimestamp } from './timestamp.ts'

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
  'forged-no-secret': rejected(
    ['', 'undefined', 'null'].map((secret) => ({ key: Uint8Array.from(Buffer.from(secret)) })),
  ),
  // A receiver of both kinds of signatures may take one for the other.
  'forged-public-key': rejected([
    { byPublicKey: (key) => Uint8Array.from(Buffer.from(key)) },
    { byPublicKey: (key) => Uint8Array.from(Buffer.from(key.replace(/^.*_/, ''), 'base64')) },
  ]),
  'forged-no-signature': rejected([
    { unsigned: true },
    // What verifies only where all headers are there.
    { secret: ANOTHER, change: signatureAlone },
  ]),
  'forged-no-timestamp': rejected(
    ['', 'undefined'].map((text) => ({
      neighbour: (value) => withTimestamp(value, text),
      change: withoutTimestamp,
    })),
  ),
  // A comparison may begin late, or end early.
  'forged-one-bit': rejected(
    [0, 0.5, 1].map((where) => ({
      change: signedAs((digest, value) => otherDigest(value, digest, where)),
    })),
  ),
  // Also of which nothing is left, and one digit short of the whole: without its padding, base64 stands for the same.
  'forged-truncated': rejected([
    ...[0, 1, 12].map((length) => ({ change: signedAs((digest) => digest.slice(0, length)) })),
    { change: signedAs((digest) => digest.slice(0, Math.floor(digest.length / 2))) },
    { change: signedAs((digest) => digest.replace(/.=*$/, '')) },
  ]),
  'forged-longer': rejected({ change: signedAs((digest) => `${digest}00`) }),
  'forged-embedded': rejected({ change: signedAs((digest) => `00${digest}`) }),
  // Decoders of hexadecimal digits end at another character, and those of base64 leave it out.
  'forged-lenient': rejected({
    change: signedAs((digest, { signature }) =>
      signature.encoding === 'hex'
        ? `${digest.toUpperCase()}zz`
        : `${digest.slice(0, 9)}!${digest.slice(9)}`,
    ),
  }),
  'forged-upper-case': rejected({ change: signedAs((digest) => digest.toUpperCase()) }),
  'forged-encoding': rejected(signedWith('signature_encoding')),
  'forged-hash': rejected(signedWith('signature_other_hash')),
  'forged-otherwise': rejected(OTHERWISE.flatMap((code) => signedWith(code, 1))),
  'forged-other-header': rejected(IN_OTHER_HEADERS),
  'forged-two-signatures': rejected([
    { change: inTwoHeaders('in front') },
    { change: inTwoHeaders('behind') },
  ]),
  'forged-body-only': rejected(signedWith('message_body_alone')),
  'altered-body': rejected({
    text: INSTANCE,
    change: ({ body }) => ({ body: Buffer.from(tamperedWord(body).body) }),
  }),
  'altered-newline': rejected(altered((body) => Buffer.concat([body, Buffer.from('\n')]))),
  'altered-line-breaks': rejected({
    format: indented,
    change: ({ body }) => ({ body: Buffer.from(body.toString().replaceAll('\n', '\r\n')) }),
  }),
  'altered-accents': rejected({
    text: 'caf\u00e9',
    change: ({ body }) => ({ body: Buffer.from(body.toString().normalize('NFD')) }),
  }),
  'altered-mark': rejected(altered((body) => Buffer.concat([Buffer.from('\ufeff'), body]))),
  'altered-replacement': rejected(altered((body) => replaced(body, '\ufffd', Buffer.of(0xff)))),
  'altered-spelling': rejected({
    format: indented,
    signed: (body) => Buffer.from(compact(JSON.parse(body.toString()))),
  }),
  // Valid signatures at another time than now.
  'time-stale': rejected({ ahead: -DAY }),
  'time-future': rejected({ ahead: DAY }),
  'time-unreadable': rejected(['soon', 'NaN', '-1'].map((timestamp) => ({ timestamp }))),
  'time-loose': rejected({
    neighbour: (value, { timestamp }) => withSignedTime(value, `${timestamp}abc`),
    change: timestampTo((sent) => `${sent}abc`),
  }),
  // What is not signed says nothing of the time.
  'time-elsewhere': rejected({
    ahead: -DAY,
    change: ({ headers }, { now }) => ({ headers: [...clocksBeside(headers, now()), ...headers] }),
  }),
  'time-replaced': rejected({
    ahead: -DAY,
    change: timestampTo((sent, now) => inFormOf(sent, now)),
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

function replaced(body: Buffer, from: string, to: Buffer): Buffer {
  const at = body.indexOf(from)
  return Buffer.concat([body.subarray(0, at), to, body.subarray(at + Buffer.byteLength(from))])
}

function coded({ headers }: ProbeRequest): Partial<ProbeRequest> {
  return { headers: [...headers, ['Content-Encoding', 'gzip']] }
}
