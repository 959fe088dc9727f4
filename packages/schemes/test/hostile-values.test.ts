import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createReceiver, type Receiver } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import schema from '../../conformance/scheme.schema.json' with { type: 'json' }
import { defineScheme, stripe } from '../src/index.ts'
import { changed } from './changed.ts'
import { ALL, validRequest } from './vectors.ts'

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

test('a value from elsewhere is a TypeError that says what is wrong, or a scheme that the JSON Schema takes and that rejects forgeries', async () => {
  const random = seeded(7)
  const seen = { invalid: 0, taken: 0 }
  for (let times = 0; times < 2000; times++) {
    const { value } = ALL[times % ALL.length] as (typeof ALL)[number]
    const first = random() < 0.5 ? value : (changed(value, random) as object)
    const given = JSON.parse(JSON.stringify(changed(first, random)))
    let scheme: ReturnType<typeof defineScheme>
    try {
      scheme = defineScheme(given)
    } catch (error) {
      expect(error, JSON.stringify(given)).toBeInstanceOf(TypeError)
      expect(String(error)).toMatch(/^TypeError: (`[\w. -]+`|There is no property) /)
      if (!validate(given)) seen.invalid++
      continue
    }
    seen.taken++
    expect(validate(given), JSON.stringify([given, validate.errors])).toBe(true)
    await expectRejected(scheme, given)
  }
  // All of it happens, so that each is tried.
  expect(Math.min(seen.invalid, seen.taken)).toBeGreaterThan(150)
})

/** A receiver may take no such secret; one that does rejects a request that nobody signed, and throws nothing else. */
async function expectRejected(scheme: ReturnType<typeof defineScheme>, given: unknown) {
  const { secret } = validRequest(stripe)
  const publicUrl = scheme.signsUrl ? { publicUrl: 'https://example.com' } : {}
  let receiver: Receiver<unknown>
  try {
    receiver = createReceiver(secret, { ...publicUrl, scheme, onRejected: false } as never)
  } catch (error) {
    expect(error, JSON.stringify(given)).toBeInstanceOf(TypeError)
    return
  }
  const sent = Object.fromEntries(scheme.headers.map((name) => [name, 't=1795000000,v1=00,v0=00']))
  const headers = { ...sent, 'content-type': 'application/json' }
  const init = { method: 'POST', body: '{"a":[]}', headers }
  const receiving = receiver.receiveRequest(new Request('https://example.com/a?b=1', init))
  const outcome: unknown = await receiving.catch((error: unknown) => error)
  expect(isWebhookError(outcome), `${JSON.stringify(given)}: ${outcome}`).toBe(true)
}
