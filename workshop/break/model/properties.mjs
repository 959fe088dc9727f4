// The properties that fast-check checks: core agrees with the model.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { jsonBytes } from './bodies.mjs'
import { expectedJson } from './json.mjs'
import { checkHeaders, fieldOf } from './model.mjs'
import { heads, requests } from './requests.mjs'
import { parseTimestamp } from './timestamp.mjs'
import { timestamps } from './timestamps.mjs'
import { createTrial } from './trial.mjs'

/** How far two readings of the same fraction of a second may differ, in milliseconds: a number has 53 bits. */
const roundingAt = (ms) => Math.max(0.001, Math.abs(ms) * Number.EPSILON)

/**
 * What of core is compared with the model.
 *
 * @typedef {object} Parts
 * @property {typeof import('@webhook-receiver/core').createReceiver} createReceiver
 * @property {typeof import('@webhook-receiver/core').WebhookError} WebhookError
 * @property {(bytes: Uint8Array) => unknown} parseJson
 * @property {(text: string) => number | undefined} readTimestamp
 * @property {(request: { readonly method: string, readonly header: import('@webhook-receiver/core').HeaderLookup }, limit: number) => object} checkHeaders
 *
 * @typedef {object} Property
 * @property {string} name
 * @property {(settings: fc.Parameters<unknown> & { outcomes?: Record<string, number> }) => Promise<fc.RunDetails<unknown>>} check
 */

/**
 * The properties, each with a function that checks it and resolves to the result of fast-check. The last counts how often it has
 * seen each of the `outcomes`.
 *
 * @param {Parts} core
 * @returns {Property[]}
 */
export function propertiesOf(core) {
  const sync = (arbitrary, agree) => (settings) =>
    fc.check(
      fc.property(arbitrary, (value) => agree(core, value)),
      settings,
    )
  return [
    { name: 'a body is parsed', check: sync(jsonBytes, agreeOnJson) },
    { name: 'a timestamp is read', check: sync(timestamps, agreeOnTime) },
    { name: 'the headers are checked', check: sync(heads, agreeOnHeaders) },
    { name: 'a request is received', check: (settings) => checkReceiver(core, settings) },
  ]
}

function checkReceiver(core, { outcomes = {}, ...settings }) {
  const trial = createTrial(core)
  return fc.check(
    fc.asyncProperty(requests, async (request) => {
      const { outcome, fault } = await trial(request)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (fault) throw new Error(fault)
    }),
    settings,
  )
}

function agreeOnJson({ parseJson, WebhookError }, bytes) {
  const { reasons, ...expected } = expectedJson(bytes)
  const found = attempt(() => parseJson(bytes), WebhookError)
  if (found.reason) return demand(reasons.includes(found.reason), found.reason, reasons)
  demand('value' in expected, 'accepted', reasons)
  demand(isDeepStrictEqual(found.value, expected.value), 'another value', [])
}

function agreeOnTime({ readTimestamp }, text) {
  const expected = parseTimestamp(text)
  const found = readTimestamp(text)
  if (found === undefined) return demand(!expected || expected.open, 'unread', [expected?.ms])
  demand(expected !== undefined, `read as ${found}`, [])
  const difference = Math.abs(found - expected.ms - expected.rest)
  const allowed = expected.rest > 0 ? roundingAt(found) : 0
  demand(difference <= allowed, `read as ${found}`, [expected.ms + expected.rest])
}

function agreeOnHeaders({ checkHeaders: check, WebhookError }, { method, headers, limit }) {
  const { reasons, open, ...expected } = checkHeaders({ method, headers }, limit)
  const header = (name) => fieldOf(headers, name)
  const found = attempt(() => check({ method, header }, limit), WebhookError)
  if (found.reason) return demand(reasons.includes(found.reason), found.reason, reasons)
  demand(reasons.length === 0 || open, 'accepted', reasons)
  const { signature, timestamp } = found.value
  demand(isDeepStrictEqual({ signature, timestamp }, expected), 'another head', [])
}

function attempt(call, WebhookError) {
  try {
    return { value: call() }
  } catch (thrown) {
    if (thrown instanceof WebhookError) return { reason: thrown.reason }
    throw thrown
  }
}

function demand(holds, found, expected) {
  if (!holds) throw new Error(`${found}; expected ${expected.join(' or ') || 'accepted'}`)
}
