import { type Parts, propertiesOf } from '@webhook-receiver/trials/model/properties.mjs'
import { expect, test } from 'vitest'
import { readHead } from '../src/contract/head.ts'
import { readTimestamp } from '../src/contract/timestamp.ts'
import { createReceiver, WebhookError } from '../src/index.ts'
import { parseJson } from '../src/parse/json.ts'
import { checkBodyHeaders } from '../src/verify/body-headers.ts'

// The short form of `npm run break -- fuzz`: an independent model, and what fast-check draws.
const core: Parts = {
  createReceiver,
  parseJson,
  readTimestamp,
  WebhookError,
  checkHeaders(request, limit) {
    const head = readHead(request)
    checkBodyHeaders(request, limit)
    return head
  },
}

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
