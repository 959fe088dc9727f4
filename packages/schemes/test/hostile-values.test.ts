import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { createReceiver, type Receiver } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { expect, test } from 'vitest'
import { defineScheme, type SchemeValue, stripe } from '../src/index.ts'
import { changed } from './changed.ts'
import { ALL, validRequest } from './vectors.ts'

test('a value from elsewhere is a TypeError that says what is wrong, or a scheme that rejects forgeries', async () => {
  const random = seeded(7)
  const seen = { rejected: 0, taken: 0 }
  for (let times = 0; times < 2000; times++) {
    const { value } = ALL[times % ALL.length] as (typeof ALL)[number]
    const given = changed(random() < 0.5 ? value : (changed(value, random) as object), random)
    let scheme: ReturnType<typeof defineScheme>
    try {
      scheme = defineScheme(given as SchemeValue)
    } catch (error) {
      expect(error, JSON.stringify(given)).toBeInstanceOf(TypeError)
      expect(String(error)).toMatch(/^TypeError: (`[\w. -]+`|There is no property) /)
      seen.rejected++
      continue
    }
    seen.taken++
    await expectRejected(scheme, given)
  }
  // Both happen, so that each is tried.
  expect(Math.min(seen.rejected, seen.taken)).toBeGreaterThan(300)
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
