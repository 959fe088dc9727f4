import { OUTCOMES } from '@webhook-receiver/trials/model/model.mjs'
import { type Parts, propertiesOf } from '@webhook-receiver/trials/model/properties.mjs'
import { expect, test } from 'vitest'
import { createReceiver, WebhookError } from '../src/index.ts'
import { parseJson } from '../src/parse/json.ts'

// An independent model, and what fast-check draws. `npm run break -- fuzz` draws many more.
const { FUZZ_RUNS = '500', FUZZ_SEED = '1' } = process.env
const SETTINGS = { numRuns: Number(FUZZ_RUNS), seed: Number(FUZZ_SEED) }

/** Fewer requests may miss an outcome by chance. */
const ENOUGH = 20_000

const core: Parts = { createReceiver, parseJson, WebhookError }

test.each(propertiesOf(core))('$name as the model has it', async ({ name, check }) => {
  const outcomes: Record<string, number> = {}
  const { failed, counterexample, errorInstance } = await check({ ...SETTINGS, outcomes })
  expect({ failed, counterexample, errorInstance }).toEqual({
    failed: false,
    counterexample: null,
    errorInstance: null,
  })
  if (name !== 'a request is received' || SETTINGS.numRuns < ENOUGH) return
  expect(OUTCOMES.filter((outcome) => !outcomes[outcome])).toEqual([])
})

test('the properties find a receiver that accepts an unsigned request', async () => {
  const lax: typeof createReceiver = (secret, options) => {
    const receiver = createReceiver(secret, options)
    const receive: typeof receiver.receive = (incoming) =>
      receiver.receive({
        ...incoming,
        header: (name) => incoming.header(name)?.toLowerCase(),
      })
    return { ...receiver, receive }
  }
  const received = propertiesOf({ ...core, createReceiver: lax }).at(-1)
  expect((await received?.check({ numRuns: 2000, seed: 1 }))?.failed).toBe(true)
})
