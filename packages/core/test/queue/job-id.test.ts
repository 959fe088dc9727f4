import { jobIdOf } from '@webhook-receiver/core'
import { describe, expect, test } from 'vitest'

const endpoint = 'stripe'
const IDS = [
  ...['evt_1', '42', 'a:b', 'a b', 'a/b', 'ü', 'u\u0308', '\ud800', '\ud801', '\ufffd', '\0'],
  ...['x'.repeat(100), 'x'.repeat(101), 'x'.repeat(100_000)],
]

describe('jobIdOf', () => {
  // BullMQ: no colon, no number. SQS and Service Bus: 128 characters of these. A label of DNS: 63.
  test.each([
    [undefined, /^delivery-[0-9a-f]{48}$/],
    ['uuid', /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ] as const)(
    'has one short form for every delivery, which each queue takes: %s',
    async (form, expected) => {
      for (const key of IDS) expect(await jobIdOf({ endpoint, key }, form)).toMatch(expected)
    },
  )

  test.each([undefined, 'uuid'] as const)('is another for each delivery: form %s', async (form) => {
    const endpoints = ['billing', 'analytics', 'stripe', 'stripe:acme', 'stripe:globex']
    const keys = [...IDS, ...endpoints, 'acme:evt_1', ...(await Promise.all(IDS.map(idOf)))]
    const all = endpoints.flatMap((at) => keys.map((key) => ({ endpoint: at, key })))
    const ids = await Promise.all(all.map((delivery) => jobIdOf(delivery, form)))
    expect(new Set(ids).size).toBe(all.length)
    function idOf(key: string) {
      return jobIdOf({ endpoint, key }, form)
    }
  })

  // printf '["stripe","evt_1"]' | sha256sum
  test('is the same in every release', async () => {
    const delivery = { endpoint, key: 'evt_1' }
    const id = 'delivery-f9fbbff9816ba04b23a2a5e348b572c4da35bdd5bf7dc166'
    expect(await jobIdOf(delivery)).toBe(id)
    expect(await jobIdOf(delivery, 'uuid')).toBe('f9fbbff9-816b-804b-a3a2-a5e348b572c4')
  })

  test.each([
    ['a key without its endpoint', [{ key: 'evt_1' }], '`endpoint` should be the'],
    ['the tenant alone', [{ endpoint: ':acme', key: 'evt_1' }], '`endpoint` should be the'],
    ['another form', [{ endpoint, key: '1' }, 'UUID'], "should be 'uuid' or left out."],
  ])('does not take %s', async (_what, given, says) => {
    const attempt: Promise<string> = Reflect.apply(jobIdOf, undefined, given)
    await expect(attempt).rejects.toThrow(TypeError)
    await expect(attempt).rejects.toThrow(says)
  })
})
