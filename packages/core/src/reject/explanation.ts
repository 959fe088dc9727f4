// Stryker disable StringLiteral: the tests check codes and statuses, not every sentence.
import { describeKind } from '../validate/describe.ts'
import type { CheckedReason, RejectionDetails, SecretFingerprint } from './details.ts'
import { oneLine, quoted } from './log-line.ts'
import type { Refusal } from './refusal.ts'

/** The sentences for the operator: what was seen, why it is refused and what to do. */
export function explainRefusal<Given extends CheckedReason>(
  { reason, details, cause }: Refusal<Given>,
  secrets: readonly SecretFingerprint[],
): string {
  return EXPLANATIONS[reason](details, cause, secrets)
}

const EXPLANATIONS: {
  readonly [Given in CheckedReason]: (
    details: RejectionDetails[Given],
    cause: unknown,
    secrets: readonly SecretFingerprint[],
  ) => string
} = {
  method_not_allowed: ({ method }) =>
    `The request is a ${method.slice(0, 20).replace(/[^\w-]/g, '?')}; deliveries are sent with POST. A browser or a health check ` +
    'reached this URL: give those a route of their own in front of the receiver.',
  signature_missing: () =>
    'The request has no X-Webhook-Signature header. Either it does not come from the service, or a proxy ' +
    'in front of this receiver drops headers it does not know.',
  signature_malformed: ({ value }) =>
    `X-Webhook-Signature should be "sha256=" and 64 lower-case hexadecimal digits; ${signatureFault(value)}.`,
  timestamp_missing: () =>
    'The request has no X-Webhook-Timestamp header, which is part of what is signed. A proxy in front of ' +
    'this receiver may drop headers it does not know.',
  encoding_not_supported: ({ coding }) =>
    `The request has Content-Encoding ${quoted(coding)}. Deliveries come uncompressed, and nothing is ` +
    'inflated before it is verified. If a proxy compresses requests, turn that off for this URL.',
  body_too_large: ({ limit, announced, received }) =>
    `${tooLarge(announced, received)}, and the limit is ${limit} bytes. If the service does send deliveries of ` +
    'that size, raise the `limit` option.',
  secret_unavailable: (waited, cause) =>
    `The secret function ${waited ? late(waited.seconds) : `failed: ${thrown(cause)}`}. The delivery is answered 503, so ` +
    'that it comes again.',
  body_already_read: ({ by, advice }) =>
    `The body was read ${by}, so the signed bytes are gone and nothing can be verified. ${advice}`,
  body_incomplete: ({ received }) =>
    `The connection was closed${received === undefined ? '' : ` after ${received} bytes`}, before the body was ` +
    'whole: by the sender, by a proxy, or by a time-out of this server.',
  body_timeout: ({ received, seconds }) =>
    `After ${seconds} s the body was not whole: ${received} bytes had come. The sender or the network is too slow, or the ` +
    'sender stopped without closing the connection. If genuine deliveries take that long, raise the `bodyTimeout` option.',
  signature_mismatch: ({ length }, _, secrets) =>
    `No secret gives the received signature over the timestamp and the ${length} bytes of the body. Tried: ` +
    `${tried(secrets)}. Either the request is forged, or the secret is that of another ` +
    'webhook, or a proxy changed the body.',
  timestamp_unreadable: ({ timestamp }) =>
    `The signature is right, but X-Webhook-Timestamp is ${quoted(timestamp)}, which is none of: Unix seconds ` +
    '(10 digits), Unix milliseconds (13 digits), RFC 3339 with a zone, an HTTP-date. If the service sends this ' +
    'form, set the `tolerance` option to Infinity and use a store against replays.',
  timestamp_too_old: ({ seconds, tolerance }) =>
    `The signature is right, but it was made ${rounded(seconds)} s ago and the tolerance is ${tolerance} s. ` +
    'Either this is a replay, or the service does not sign its retries anew (raise the `tolerance` option and ' +
    'use a store), or the clock of this machine is fast (check NTP).',
  timestamp_in_future: ({ seconds, tolerance }) =>
    `The signature is right, but its timestamp lies ${rounded(seconds)} s ahead and the tolerance is ` +
    `${tolerance} s. The clock of this machine, or the sender's, is wrong (check NTP).`,
  body_not_utf8: () =>
    'The delivery is authentic, but its body is not UTF-8. JSON between systems is UTF-8 (RFC 8259, section ' +
    '8.1): ask the sender what it encodes.',
  body_not_json: ({ text }) =>
    `The delivery is authentic, but its body of ${text.length} characters is ${jsonFault(text)}. ${REGISTERED}`,
  body_too_deep: ({ limit }) =>
    `The delivery is authentic, but its body nests more than ${limit} objects and arrays. JSON.stringify or ` +
    'structuredClone of such a value can overflow the stack of the application.',
  envelope_invalid: ({ field, wanted, ...found }) =>
    `The delivery is authentic, but ${field} should be ${wanted}${'value' in found ? `, and is ${describeKind(found.value)}` : ''}. ${REGISTERED}`,
  schema_mismatch: schemaFault,
  schema_refused: schemaFault,
  schema_failed: ({ event, seconds }) =>
    `The schema given for ${JSON.stringify(event)} ${seconds === undefined ? 'threw, or gave no result, instead of answering: see the cause' : late(seconds)}.`,
}

function thrown(cause: unknown): string {
  return cause instanceof Error ? oneLine(cause.message) : 'it threw no Error'
}

function late(seconds: number): string {
  return `did not answer within ${seconds} s: make it faster, or raise the \`callbackTimeout\` option`
}

const REGISTERED = 'Check that this URL is registered for deliveries and nothing else.'

/** Says what is wrong with a signature without repeating it. */
function signatureFault(value: string): string {
  if (value.includes(', '))
    return 'it holds several values: a proxy may have added the header twice'
  if (!value.startsWith('sha256=')) return 'it does not begin with "sha256="'
  const digits = value.slice('sha256='.length)
  if (digits.length !== 64) return `it has ${digits.length} characters behind the "="`
  return /^[0-9a-f]+$/i.test(digits)
    ? 'its digits are in upper case'
    : 'it holds characters that are no lower-case hexadecimal digits'
}

function tooLarge(announced: string | undefined, received: number | undefined): string {
  if (announced !== undefined) return `The request announces ${announced.slice(0, 20)} bytes`
  return received === undefined ? 'The body is larger than that' : `The body has ${received} bytes`
}

function tried(secrets: readonly SecretFingerprint[]): string {
  const more = secrets.length > 5 ? `, and ${secrets.length - 5} more` : ''
  return secrets.slice(0, 5).map(secret).join(', ') + more
}

function secret({ name, fingerprint }: SecretFingerprint): string {
  return `${name === undefined ? 'the secret' : quoted(name)} (SHA-256 begins ${fingerprint})`
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(3))
}

function jsonFault(text: string): string {
  if (text === '') return 'empty'
  return text.startsWith('\uFEFF') ? 'JSON behind a byte order mark' : 'not JSON'
}

/** Not the issues' own messages: some validators quote the value, which is the body. */
function schemaFault({ event, vendor, issues }: RejectionDetails['schema_mismatch']): string {
  return (
    `The delivery is authentic, but its content does not fit the ${vendor} schema given for ` +
    `${JSON.stringify(event)}, at ${issues.slice(0, 5).map(place).join(', ')}. Correct the schema so that it ` +
    'takes what the service sends; until then, onUnprocessable can keep such deliveries.'
  )
}

/** Where an issue is. What a validator says is taken for anything: some are home-made. */
function place(issue: unknown): string {
  const path = typeof issue === 'object' && issue !== null && 'path' in issue ? issue.path : []
  const segments = Array.isArray(path) ? path.map(segment) : []
  return ['data', 'data', ...segments].join('.').slice(0, 100)
}

/** One step of an issue's path, whose name the sender may have chosen. */
function segment(part: unknown): string {
  const key = typeof part === 'object' && part !== null && 'key' in part ? part.key : part
  return typeof key === 'object' || typeof key === 'function'
    ? `(${key === null ? 'null' : typeof key})`
    : oneLine(String(key)).slice(0, 40)
}
