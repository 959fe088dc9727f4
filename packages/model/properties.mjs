import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { heads, jsonBytes, recipes, stamps } from './arbitraries.mjs'
import { jsonOf } from './json.mjs'
import { checkHeaders, fieldOf } from './model.mjs'
import { instantOf } from './time.mjs'
import { createTrial } from './trial.mjs'

/** How far two readings of the same fraction of a second may differ, in milliseconds: a number has 53 bits. */
const roundingAt = (ms) => Math.max(0.001, Math.abs(ms) * Number.EPSILON)

/**
 * @typedef {object} Parts of core, from wherever they come
 * @property {Function} createReceiver
 * @property {Function} WebhookError
 * @property {Function} Refusal what a check throws when no receiver is around it
 * @property {(bytes: Uint8Array) => unknown} parseJson
 * @property {(text: string) => number | undefined} readTimestamp
 * @property {Function} checkHeaders
 */

/**
 * The properties, each as a name and a function that checks it and resolves to what fast-check says.
 *
 * @param {Parts} core
 * @returns {{ name: string, check(settings: object): Promise<import('fast-check').RunDetails<unknown>> }[]}
 */
export function propertiesOf(core) {
  const sync = (arbitrary, agree) => async (settings) =>
    fc.check(fc.property(arbitrary, agree), settings)
  return [
    { name: 'a body is parsed', check: sync(jsonBytes, (bytes) => agreeOnJson(core, bytes)) },
    { name: 'a timestamp is read', check: sync(stamps, (text) => agreeOnTime(core, text)) },
    { name: 'a head is judged', check: sync(heads, (head) => agreeOnHead(core, head)) },
    { name: 'a request is received', check: (settings) => checkReceiver(core, settings) },
  ]
}

/** Checks recipes on receivers; with `examples` those alone, which are made smaller where they fail. */
export function checkReceiver(core, settings) {
  const trial = createTrial(core)
  return fc.check(
    fc.asyncProperty(recipes, async (recipe) => {
      const { fault } = await trial(recipe)
      if (fault) throw new Error(fault)
    }),
    settings,
  )
}

function agreeOnJson({ parseJson, Refusal }, bytes) {
  const { reasons, ...expected } = jsonOf(bytes)
  const found = attempt(() => parseJson(bytes), Refusal)
  if (found.reason) return demand(reasons.includes(found.reason), found.reason, reasons)
  demand('value' in expected, 'accepted', reasons)
  demand(isDeepStrictEqual(found.value, expected.value), 'another value', [])
}

function agreeOnTime({ readTimestamp }, text) {
  const expected = instantOf(text)
  const found = readTimestamp(text)
  if (found === undefined) return demand(!expected || expected.open, 'unread', [expected?.ms])
  demand(expected !== undefined, `read as ${found}`, [])
  const difference = Math.abs(found - expected.ms - expected.rest)
  const allowed = expected.rest > 0 ? roundingAt(found) : 0
  demand(difference <= allowed, `read as ${found}`, [expected.ms + expected.rest])
}

function agreeOnHead({ checkHeaders: judged, Refusal }, { method, headers, limit }) {
  const { reasons, open, ...expected } = checkHeaders({ method, headers }, limit)
  const found = attempt(() => judged(method, (name) => fieldOf(headers, name), limit), Refusal)
  if (found.reason) return demand(reasons.includes(found.reason), found.reason, reasons)
  demand(reasons.length === 0 || open, 'accepted', reasons)
  const { signature, timestamp } = found.value
  demand(isDeepStrictEqual({ signature, timestamp }, expected), 'another head', [])
}

function attempt(call, Refusal) {
  try {
    return { value: call() }
  } catch (thrown) {
    if (thrown instanceof Refusal) return { reason: thrown.reason }
    throw thrown
  }
}

function demand(right, found, expected) {
  if (!right) throw new Error(`${found}; should be ${expected.join(' or ') || 'accepted'}`)
}
