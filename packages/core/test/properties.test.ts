import { propertiesOf } from '@webhook-receiver/model/properties.mjs'
import { expect, test } from 'vitest'
import { createReceiver, WebhookError } from '../src/index.ts'
import { parseJson } from '../src/parse/json.ts'
import { Refusal } from '../src/reject/refusal.ts'
import { checkHeaders } from '../src/verify/headers.ts'
import { readTimestamp } from '../src/verify/timestamp.ts'

// The short form of `npm run fuzz`: an independent model, and what fast-check draws.
const core = { createReceiver, checkHeaders, parseJson, readTimestamp, Refusal, WebhookError }

test.each(propertiesOf(core))('$name as the model has it', async ({ check }) => {
  const { failed, counterexample, errorInstance } = await check({ numRuns: 500, seed: 1 })
  expect({ failed, counterexample, errorInstance }).toEqual({
    failed: false,
    counterexample: null,
    errorInstance: null,
  })
})

test('the properties find a receiver that reads the wrong time', async () => {
  const wrong = { ...core, readTimestamp: (text: string) => readTimestamp(text.trim()) }
  const [, time] = propertiesOf(wrong)
  expect((await time?.check({ numRuns: 10_000, seed: 1 }))?.failed).toBe(true)
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
