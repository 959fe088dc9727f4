// The properties that fast-check checks: core agrees with the model.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { jsonBytes } from './bodies.mjs'
import { expectedJson } from './json.mjs'
import { requests } from './requests.mjs'
import { createTrial } from './trial.mjs'

/**
 * What of core is compared with the model.
 *
 * @typedef {object} Parts
 * @property {typeof import('@webhook-receiver/core').createReceiver} createReceiver
 * @property {typeof import('@webhook-receiver/core').WebhookError} WebhookError
 * @property {(bytes: Uint8Array) => unknown} parseJson
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
  const parsed = fc.property(jsonBytes, (bytes) => agreeOnJson(core, bytes))
  return [
    { name: 'a body is parsed', check: async (settings) => fc.check(parsed, settings) },
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
  let found
  try {
    found = { value: parseJson(bytes) }
  } catch (thrown) {
    if (!(thrown instanceof WebhookError)) throw thrown
    if (reasons.includes(thrown.reason)) return
    found = { reason: thrown.reason }
  }
  assert.deepStrictEqual(found, expected)
}
