import { createReceiver, type Receiver } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { expect, test } from 'vitest'
import { defineScheme, type SchemeValue, stripe } from '../src/index.ts'
import { seeded } from './seeded.ts'
import { ALL, validRequest } from './vectors.ts'

/** What a row of a database may hold in place of what belongs there. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', '/', '//', '__proto__', 'constructor', '$&', '\0', '{'],
  ...['(a+)+$', 'x'.repeat(100_000), '\u2028', 'http://169.254.169.254/', 'node:fs', [], {}, [[]]],
  ...[{ __proto__: null }, { toString: 1 }, [null], 'timestamp', 'url', 'body', 'form'],
  ...[{ header: 'x' }, { pointer: '/a' }, { field: 't' }, { text: '.' }, { header: ['__proto__'] }],
  ...['hmac-sha1', 'hmac-sha512', 'ed25519', 'ecdsa-p256', 'rsa-sha256', 'hex', 'base64', 'pem'],
]

/** A copy of a value, in which one thing anywhere is another, or missing, or there besides. */
function changed(value: object, random: () => number): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  const holders: Record<string, unknown>[] = []
  const collect = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return
    holders.push(one as Record<string, unknown>)
    for (const inner of Object.values(one)) collect(inner)
  }
  collect(copy)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const holder = pick(holders)
  const name = random() < 0.1 ? pick(['__proto__x', 'extra', '0', '']) : pick(Object.keys(holder))
  if (random() < 0.2) delete holder[name]
  else holder[name] = structuredClone(pick(HOSTILE))
  return copy
}

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
      expect(String(error)).toMatch(/^TypeError: (`[\w. ]+`|There is no property) /)
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
