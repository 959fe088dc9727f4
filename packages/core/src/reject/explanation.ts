// Stryker disable StringLiteral: the tests check codes and statuses, not every sentence.
import { describeKind } from '../validate/describe.ts'
import type { CheckedReason, RejectionDetails, SecretFingerprint } from './details.ts'
import { oneLine, quoted } from './log-line.ts'
import type { Refusal } from './refusal.ts'

/** The detail for the operator: what was seen, what it means and what to do. */
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
    `The method is ${method.slice(0, 20).replace(/[^\w-]/g, '?')}, but deliveries are sent with POST. The request comes from a browser or a ` +
    'health check, for example. Give those another route, before the receiver.',
  signature_missing: () =>
    'The request has no X-Webhook-Signature header. Either it does not come from the service, or a proxy ' +
    'removes headers that it does not know. Check the proxy.',
  signature_malformed: ({ value }) =>
    `X-Webhook-Signature is not "sha256=" and 64 lower-case hexadecimal digits: ${signatureFault(value)}.`,
  timestamp_missing: () =>
    'The request has no X-Webhook-Timestamp header, which the signature covers. Either it does not come from the ' +
    'service, or a proxy removes headers that it does not know. Check the proxy.',
  encoding_not_supported: ({ coding }) =>
    `The request has Content-Encoding ${quoted(coding)}. Deliveries are not compressed, and nothing is ` +
    'decompressed before it is verified. If a proxy compresses requests, turn that off for this URL.',
  body_too_large: ({ limit, announced, received }, cause) =>
    cause !== undefined
      ? `The server in front of the receiver has a limit of its own and stopped the body after ${received} bytes: ${thrown(cause)}. ` +
        `If the service sends deliveries of that size, raise the limit of the server. The \`limit\` option is ${limit} bytes.`
      : `${tooLarge(announced, received)}, but the limit is ${limit} bytes. If the service sends deliveries of that size, ` +
        'raise the `limit` option.',
  secret_unavailable: (waited, cause) =>
    `The secret function ${waited ? late(waited.seconds) : `failed: ${thrown(cause)}`}. The answer is 503, so ` +
    'the service sends the delivery again.',
  body_already_read: ({ by, advice }) =>
    `The body was read ${by}. The signed bytes are gone, so the signature cannot be verified. ${advice}`,
  body_incomplete: ({ received }) =>
    `The connection was closed${received === undefined ? '' : ` after ${received} bytes`}, before the whole body had arrived. The ` +
    'sender, a proxy or a time-out of this server closed it. If it happens often, compare the time-outs.',
  body_timeout: ({ received, seconds }) =>
    `The body was not complete after ${seconds} s: ${received} bytes had arrived. The sender or the network is too slow, or the ` +
    'sender stopped without closing the connection. If real deliveries take that long, raise the `bodyTimeout` option.',
  signature_mismatch: ({ length }, _, secrets) =>
    `The signature does not match the timestamp and the ${length} bytes of the body. Tried: ` +
    `${tried(secrets)}. Either the request is forged, or the secret belongs to another ` +
    'webhook, or a proxy changed the body. Compare the secret with the one of the registration.',
  timestamp_unreadable: ({ timestamp }) =>
    `The signature is valid, but X-Webhook-Timestamp is ${quoted(timestamp)}. That is not Unix seconds ` +
    '(10 digits), Unix milliseconds (13 digits), RFC 3339 with a zone, or an HTTP-date. If the service uses this ' +
    'format, set the `tolerance` option to Infinity and use a store against replays.',
  timestamp_too_old: ({ seconds, tolerance }) =>
    `The signature is valid, but it is ${rounded(seconds)} s old and the tolerance is ${tolerance} s. ` +
    'Either this is a replay, or the service sends retries with the old signature (raise the `tolerance` option and ' +
    'use a store), or the clock of this machine is fast (check NTP).',
  timestamp_in_future: ({ seconds, tolerance }) =>
    `The signature is valid, but its timestamp is ${rounded(seconds)} s in the future and the tolerance is ` +
    `${tolerance} s. The clock of this machine or of the sender is wrong (check NTP).`,
  body_not_utf8: () =>
    'The delivery is authentic, but its body is not UTF-8. JSON between systems is UTF-8 (RFC 8259, section ' +
    '8.1). Ask the sender which encoding it uses.',
  body_not_json: ({ text }) =>
    `The delivery is authentic, but its body of ${text.length} characters is ${jsonFault(text)}. ${REGISTERED}`,
  body_too_deep: ({ limit }) =>
    `The delivery is authentic, but its body has more than ${limit} objects and arrays nested in each other. JSON.stringify or ` +
    'structuredClone of such a value can overflow the stack. Ask the service why it sends such a body.',
  envelope_invalid: ({ field, wanted, ...found }) =>
    `The delivery is authentic, but ${field} should be ${wanted}${'value' in found ? `, and is ${describeKind(found.value)}` : ''}. ${REGISTERED}`,
  schema_mismatch: schemaFault,
  schema_refused: schemaFault,
  schema_failed: ({ event, seconds }) =>
    `The schema given for ${JSON.stringify(event)} ${seconds === undefined ? 'threw an error or returned no result: see the cause' : late(seconds)}.`,
}

function thrown(cause: unknown): string {
  return cause instanceof Error ? oneLine(cause.message) : 'it threw a value that is not an Error'
}

function late(seconds: number): string {
  return `did not answer within ${seconds} s: make it faster, or raise the \`callbackTimeout\` option`
}

const REGISTERED = 'Check that the service sends only deliveries to this URL.'

/** Says what is wrong with a signature without repeating it. */
function signatureFault(value: string): string {
  if (value.includes(', '))
    return 'it has several values, perhaps because a proxy added the header again'
  if (!value.startsWith('sha256=')) return 'it does not begin with "sha256="'
  const digits = value.slice('sha256='.length)
  if (digits.length !== 64) return `it has ${digits.length} characters after the "="`
  return /^[0-9a-f]+$/i.test(digits)
    ? 'its digits are in upper case'
    : 'it has characters that are not lower-case hexadecimal digits'
}

function tooLarge(announced: string | undefined, received: number | undefined): string {
  if (announced !== undefined)
    return `The request has a Content-Length of ${announced.slice(0, 20)} bytes`
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
  return text.startsWith('\uFEFF') ? 'JSON after a byte order mark' : 'not JSON'
}

/** Not the issues' own messages: some validators quote the value, which is the body. */
function schemaFault({ event, vendor, issues }: RejectionDetails['schema_mismatch']): string {
  return (
    `The delivery is authentic, but its content does not fit the ${vendor} schema given for ` +
    `${JSON.stringify(event)}, at ${issues.slice(0, 5).map(place).join(', ')}. Correct the schema so that it ` +
    'accepts what the service sends. Until then, keep such deliveries with onUnprocessable.'
  )
}

/** Where an issue is. A validator may be home-made, so its issues can be any value. */
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
