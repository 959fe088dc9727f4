// The result that a receiver must have for a request. It is written from the contract and the decisions only and shares no
// code with the packages: the MAC is createHmac's, everything else is by hand.
import { createHmac, createSecretKey } from 'node:crypto'
import { expectedJson } from './json.mjs'
import { parseTimestamp } from './timestamp.mjs'

const STATUS = {
  method_not_allowed: 405,
  signature_missing: 401,
  signature_malformed: 401,
  timestamp_missing: 401,
  encoding_not_supported: 415,
  body_too_large: 413,
  secret_unavailable: 503,
  signature_mismatch: 401,
  timestamp_unreadable: 401,
  timestamp_too_old: 401,
  timestamp_in_future: 401,
  body_not_utf8: 400,
  body_not_json: 400,
  body_too_deep: 400,
  envelope_invalid: 400,
  schema_mismatch: 500,
  schema_failed: 500,
  schema_rejected: 422,
}

/** Every outcome that a run must reach. */
export const OUTCOMES = ['accepted', ...Object.keys(STATUS)]

const CODES = {
  400: 'invalid_delivery',
  401: 'not_authenticated',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'encoding_not_supported',
  422: 'content_not_accepted',
  500: 'receiver_error',
  503: 'receiver_unavailable',
}

export const statusOf = (reason) => STATUS[reason]
export const codeOf = (reason) => CODES[STATUS[reason]]

/** How far two readings of a fraction of a second may differ, in milliseconds. */
const ROUNDING = 0.001

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {readonly (readonly [name: string, value: string])[]} headers
 * @property {Uint8Array} body
 * @property {number} now the receiver's clock, in milliseconds
 *
 * @typedef {object} Expected
 * @property {string[]} outcomes 'accepted' or a reason; several if the contract leaves a choice
 * @property {object} [delivery] what the handler gets
 * @property {string} [secretName]
 * @property {boolean} isHead whether that is decided before the body is read
 */

/**
 * @param {Request} request
 * @param {import('./receivers.mjs').RECEIVERS[number]} settings
 * @returns {Expected}
 */
export function expectedResult(request, settings) {
  const open = []
  const rejected = (...reasons) => ({ outcomes: [...open, ...reasons], isHead: false })
  const rejectedEarly = (...reasons) => ({ ...rejected(...reasons), isHead: true })

  const head = checkHeaders(request, settings.limit)
  if (head.reasons.length > 0 && !head.open) return rejectedEarly(...head.reasons)
  open.push(...head.reasons)
  if (settings.fails) return rejectedEarly('secret_unavailable')

  if (request.body.length > settings.limit) return rejected('body_too_large')
  const { signature, timestamp } = head
  const match = settings.secrets.find(
    ([, secret]) => macOf(secret, timestamp, request.body) === signature,
  )
  if (!match) return rejected('signature_mismatch')

  const age = checkTimestamp(timestamp, request.now, settings.tolerance)
  if (age.reasons.length > 0 && !age.open) return rejected(...age.reasons)
  open.push(...age.reasons)

  const json = expectedJson(request.body)
  if (!Object.hasOwn(json, 'value')) return rejected(...json.reasons)
  open.push(...json.reasons)
  if (!isEnvelope(json.value)) return rejected('envelope_invalid')

  const { value } = json
  const content = contentOf(value, settings)
  if (content.reason) return rejected(content.reason)
  const delivery = {
    ...value,
    data: { ...value.data, data: content.value },
    known: settings.known.has(value.event),
  }
  return { outcomes: [...open, 'accepted'], isHead: false, delivery, secretName: match[0] }
}

/** The header field of that name: several lines of it are one list (RFC 9110, section 5.3). */
export function fieldOf(headers, name) {
  const values = headers.filter(([found]) => found.toLowerCase() === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

/** Checks the method and the headers, before the body is read. `open`: a receiver may also continue. */
function checkHeaders({ method, headers }, limit) {
  const field = (name) => fieldOf(headers, name)
  if (method !== 'POST') return { reasons: ['method_not_allowed'] }
  const signature = field('x-webhook-signature')
  if (signature === undefined) return { reasons: ['signature_missing'] }
  if (signature === '') return { reasons: ['signature_missing', 'signature_malformed'] }
  if (!isSignature(signature)) return { reasons: ['signature_malformed'] }
  const timestamp = field('x-webhook-timestamp')
  if (!timestamp) return { reasons: ['timestamp_missing'] }
  const coding = field('content-encoding')
  if (coding && !isNoCoding(coding)) return { reasons: ['encoding_not_supported'] }
  const found = { signature: signature.slice(7), timestamp, reasons: [] }
  const length = field('content-length')
  if (!length) return found
  if (/^[0-9]+$/.test(length)) {
    return BigInt(length) > BigInt(limit) ? { reasons: ['body_too_large'] } : found
  }
  // No HTTP parser accepts that. A receiver may reject it, or ignore it and count the bytes.
  return { ...found, reasons: ['body_too_large'], open: true }
}

function isSignature(value) {
  if (value.length !== 71 || !value.startsWith('sha256=')) return false
  for (const digit of value.slice(7)) if (!'0123456789abcdef'.includes(digit)) return false
  return true
}

const keys = new Map()

/** Contract, section 5: the timestamp as request, a full stop, the body as received. */
export function macOf(secret, timestamp, body) {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret, 'utf8'))
  keys.set(secret, key)
  return createHmac('sha256', key).update(`${timestamp}.`, 'latin1').update(body).digest('hex')
}

function checkTimestamp(timestamp, now, tolerance) {
  if (tolerance === Number.POSITIVE_INFINITY) return { reasons: [] }
  const instant = parseTimestamp(timestamp)
  if (instant === undefined) return { reasons: ['timestamp_unreadable'] }
  const past = now - instant.ms - instant.rest
  const excess = Math.abs(past) - tolerance * 1000
  const unsure = instant.rest > 0 ? ROUNDING : 0
  const reasons = instant.open ? ['timestamp_unreadable'] : []
  if (excess > -unsure) reasons.push(past > 0 ? 'timestamp_too_old' : 'timestamp_in_future')
  return { reasons, open: excess <= unsure }
}

/** Contract, section 6. */
function isEnvelope(value) {
  if (!isObject(value) || !areTexts(value, ['id', 'event', 'created_at'])) return false
  const data = own(value, 'data')
  if (!isObject(data) || !areTexts(data, ['instance_id', 'event', 'timestamp'])) return false
  return isObject(own(data, 'data')) && data.event === value.event
}

function areTexts(object, names) {
  return names.every((name) => typeof own(object, name) === 'string' && own(object, name) !== '')
}

/** Names that services write for a body that is not encoded, with optional white space around them (RFC 9110, section 5.6.3). */
function isNoCoding(coding) {
  const name = coding.replaceAll(/^[ \t]+|[ \t]+$/g, '').toLowerCase()
  return ['identity', 'utf-8', 'utf8', 'none', 'binary'].includes(name)
}

function own(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The content after the schema of the event, if there is one. */
function contentOf({ event, data }, { schemas, options }) {
  if (!Object.hasOwn(schemas, event)) return { value: data.data }
  try {
    const { issues, value } = schemas[event]['~standard'].validate(data.data)
    if (!issues) return { value }
  } catch {
    return { reason: 'schema_failed' }
  }
  return { reason: options.schemaMismatch === 'reject' ? 'schema_rejected' : 'schema_mismatch' }
}
