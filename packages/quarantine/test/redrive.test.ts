import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeliveryHandler, memoryStore, type SchemeKind } from '@webhook-receiver/core'
import type { ContractKind, NoSchemas } from '@webhook-receiver/core/adapter'
import { signDelivery } from '@webhook-receiver/core/testing'
import { bodyScheme, challengeScheme } from '@webhook-receiver/suites'
import { expect, test, vi } from 'vitest'
import { claim } from '../src/claim.ts'
import { type Redriven, type RedriveOptions, redrive } from '../src/index.ts'
import { dropKept, listKept, openKept } from '../src/internal.ts'
import { delivery, files, RIGHT, withDeliveries } from './records.ts'

/** A folder with so many deliveries, and what redrives them. */
async function quarantined(many = 0) {
  const { ids: sent, ...kept } = await withDeliveries(many)
  /** Each result as a word, and the ids of what was delivered. */
  const run = async <Kind extends SchemeKind = ContractKind>(
    options: Partial<RedriveOptions<NoSchemas, never, Kind>> = {},
  ) => {
    const ids: unknown[] = []
    const results: Redriven[] = []
    const deliver = async (received: { readonly delivery: object }) =>
      void ids.push(Reflect.get(received.delivery, 'id'))
    const all = { secret: RIGHT, deliver, ...options }
    for await (const one of redrive<NoSchemas, never, Kind>(kept.folder, all)) results.push(one)
    return { ids, results, words: results.map(({ outcome, reason }) => reason ?? outcome) }
  }
  return { ...kept, sent, run }
}

test('passes each delivery on once, in the order of arrival, and no forgery', async () => {
  const { folder, send, run, sent } = await quarantined(20)
  for (let index = 0; index < 20; index++) await send(await delivery('whsec_forger'))
  const { ids, words, results } = await run()
  expect(ids).toEqual(sent)
  expect(words).toEqual([...Array(20).fill('delivered'), ...Array(20).fill('signature_mismatch')])
  const times = results.map(({ request }) => Number(request?.receivedAt))
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(await listKept(folder)).toHaveLength(20)
  // Nor as a claim, which the next process would release.
  expect(await readdir(join(folder, 'other'))).toHaveLength(20)
  expect((await run()).ids).toEqual([])
})

test('a retry of what was delivered is removed, and the same delivery to another endpoint is not', async () => {
  const { folder, send, run } = await quarantined()
  const { id, body, headers } = await delivery(RIGHT)
  const retry = await delivery(RIGHT, { body, at: Date.now() + 60_000 })
  for (const sent of [{ id, body, headers }, retry]) await send(sent)
  await send({ id, body, headers }, { endpoint: 'other' })
  await send({ id, body, headers, url: '/other' })
  const { ids, words } = await run()
  expect(ids).toEqual([id, id, id])
  expect(words.sort()).toEqual(['delivered', 'delivered', 'delivered', 'duplicate'])
  expect(await listKept(folder)).toEqual([])
})

test('a retry is not removed where the delivery before it failed', async () => {
  const { folder, send, run } = await quarantined()
  const sent = await delivery(RIGHT)
  await send(sent)
  await send(await delivery(RIGHT, { body: sent.body, at: Date.now() + 60_000 }))
  const error = new Error('down')
  const { results } = await run({ deliver: () => Promise.reject(error) })
  const failed = { outcome: 'failed', id: sent.id, error }
  expect(results).toMatchObject([failed, failed])
  expect(await listKept(folder)).toHaveLength(2)
})

const busy = (status: number, headers?: object) =>
  Object.assign(new Error('busy'), { status, headers })

test.each([
  [429, undefined],
  [503, { 'Retry-After': '301' }],
])(
  'ends at the first %i with the headers %j, and the next run begins with the same delivery',
  async (status, headers) => {
    const { folder, run, sent } = await quarantined(3)
    const error = busy(status, headers)
    const deliver = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(error)
    const { results } = await run({ deliver })
    expect(results).toMatchObject([
      { outcome: 'delivered', id: sent[0] },
      { outcome: 'postponed', id: sent[1], error },
    ])
    expect(deliver).toHaveBeenCalledTimes(2)
    expect(await listKept(folder)).toHaveLength(2)
    expect((await run()).ids).toEqual(sent.slice(1))
  },
)

test.each([
  ['in seconds', () => '300'],
  ['as a date', () => new Date(Date.now() + 300_000).toUTCString()],
])(
  'waits for a Retry-After %s and passes the same delivery on again, up to 5 times',
  async (_, after) => {
    const { folder, run, sent } = await quarantined(2)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    vi.setSystemTime(Math.ceil(Date.now() / 1000) * 1000)
    const times: (readonly [id: string, at: number])[] = []
    const begun = Date.now()
    const { words } = await run({
      async deliver(received) {
        times.push([received.delivery.id, (Date.now() - begun) / 1000])
        // The first one is delivered at last.
        if (times.length === 3) return
        // When the wait has begun.
        setImmediate(() => void vi.advanceTimersByTime(300_000))
        throw busy(503, { 'retry-after': after() })
      },
    })
    const [first, second] = sent
    expect(times).toEqual([
      ...[0, 300, 600].map((at) => [first, at]),
      ...[600, 900, 1200, 1500, 1800].map((at) => [second, at]),
    ])
    expect(words).toEqual(['delivered', 'postponed'])
    expect(await listKept(folder)).toHaveLength(1)
  },
)

test('ends when it is aborted while it waits', async () => {
  const { folder, run } = await quarantined(2)
  const abortion = new AbortController()
  const deliver = vi.fn(async () => {
    setImmediate(() => abortion.abort())
    throw busy(503, { 'Retry-After': '300' })
  })
  expect((await run({ signal: abortion.signal, deliver })).words).toEqual(['postponed'])
  expect(deliver).toHaveBeenCalledOnce()
  expect(await listKept(folder)).toHaveLength(2)
})

test('waits where a store of the application responds that a copy is being handled', async () => {
  const { run, sent } = await quarantined(1)
  const handled: string[] = []
  const store = memoryStore()
  const claim = vi.spyOn(store, 'claim')
  claim.mockResolvedValueOnce({ status: 'in_progress', retryAfter: 0 })
  const handle = createDeliveryHandler({ any: ({ id }) => void handled.push(id) }, { store })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { words } = await run({
    async deliver({ delivery: one }) {
      setImmediate(() => void vi.advanceTimersByTime(60_000))
      await handle(one)
    },
  })
  expect([words, handled]).toEqual([['delivered'], sent])
  expect(claim).toHaveBeenCalledTimes(2)
})

test.each<[string, number, Partial<RedriveOptions>, string]>([
  ['300 s old', 300, {}, 'delivered'],
  ['301 s old', 301, {}, 'timestamp_too_old'],
  ['301 s old, with a tolerance of 302 s', 301, { tolerance: 302 }, 'delivered'],
  ['an hour old, by a clock an hour ahead', 3600, { clockOffset: -3600 }, 'delivered'],
  ['fresh, and the clock was an hour ahead', 0, { clockOffset: -3600 }, 'timestamp_in_future'],
  ['an hour ahead, by a clock an hour behind', -3600, { clockOffset: 3600 }, 'delivered'],
])('compares the timestamp with the time of arrival: %s', async (_, age, options, word) => {
  const { folder, send, run } = await quarantined()
  // A day ago, so that only the time of arrival can make it fresh.
  const arrival = Math.floor((Date.now() - 86_400_000) / 1000) * 1000
  await send(await delivery(RIGHT, { at: arrival - age * 1000 }), { now: () => arrival })
  expect((await run(options)).words).toEqual([word])
  expect(await listKept(folder)).toHaveLength(word === 'delivered' ? 0 : 1)
})

test('applies the schemas that it is given, and without a function for it removes nothing', async () => {
  const { folder, run, sent } = await quarantined(1)
  const validate = () => ({ issues: [{ message: 'old' }] })
  const old = { '~standard': { version: 1, vendor: 'test', validate } } as const
  expect((await run({ schemas: { 'message.received': old } })).words).toEqual(['schema_mismatch'])
  const { results } = await run({ deliver: undefined })
  expect(results).toMatchObject([{ outcome: 'deliverable', id: sent[0] }])
  expect(await listKept(folder)).toHaveLength(1)
})

test('goes on behind a file that is not a kept request, and one that is gone or claimed', async () => {
  const { folder, run, sent } = await quarantined(4)
  const names = await listKept(folder)
  const wrong = `other/${'a'.repeat(64)}.json`
  const directory = `trusted/${'b'.repeat(64)}.json`
  await writeFile(join(folder, wrong), '{}')
  await mkdir(join(folder, directory))
  const delivered: string[] = []
  const { results } = await run({
    deliver: async (received) => {
      delivered.push(received.delivery.id)
      // Another redrive handles the next one, and somebody removes this one.
      for (const name of names.slice(0, 2)) await dropKept(folder, name)
    },
    // Another redrive claims the last one while this one verifies it.
    async secret() {
      if (delivered.length === 2) await claim(join(folder, names[3] ?? ''))
      return RIGHT
    },
  })
  expect(delivered).toEqual([sent[0], sent[2]])
  const outcomes = Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]))
  expect(outcomes).toEqual({
    ...{ [wrong]: 'unreadable', [directory]: 'unreadable' },
    ...{ [names[0] ?? '']: 'delivered', [names[2] ?? '']: 'delivered' },
  })
  const failed = results.find(({ name }) => name === wrong)
  expect(failed?.error).toMatchObject({ name: 'CaptureError' })
})

test('lists what a quarantine has kept and nothing else in the folder', async () => {
  const { folder } = await quarantined(1)
  const [name = ''] = await listKept(folder)
  const text = await readFile(join(folder, name), 'utf8')
  const hash = `${'a'.repeat(64)}.json`
  for (const other of ['a.json', `${name}.0a1b2c3d.part`, 'other/a.json', `senders/${hash}`])
    await writeFile(join(folder, other), text)
  expect(await listKept(folder)).toEqual([name])
  expect(await files(folder)).toEqual({ trusted: 0, other: 1 })
  await expect(listKept(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('two headers of one name are not one of them', async () => {
  const { folder, run } = await quarantined(1)
  const [name = ''] = await listKept(folder)
  const { headers, ...others } = JSON.parse(await readFile(join(folder, name), 'utf8'))
  const twice = [...headers, ...headers]
  await writeFile(join(folder, name), JSON.stringify({ ...others, headers: twice }))
  expect((await openKept(folder, name)).headers).toEqual(twice)
  expect((await run()).words).toEqual(['signature_malformed'])
})

test('a wrong secret is an error at once', async () => {
  const { run } = await quarantined()
  await expect(run({ secret: undefined })).rejects.toThrow(TypeError)
})

test('redrives what another scheme has signed, and tells deliveries apart by what is signed', async () => {
  const { send, run } = await quarantined()
  const scheme = bodyScheme
  for (const [id, data] of [
    ['one', 1],
    ['one', 2],
    ['two', 2],
  ] as const) {
    const signed = await signDelivery(RIGHT, { data }, { scheme, id, event: 'push' })
    expect(await send({ id, ...signed }, { scheme })).toBe(401)
  }
  const seen: unknown[] = []
  const deliver = async ({ delivery }: { readonly delivery: object }) => void seen.push(delivery)
  expect((await run({ scheme, deliver })).words).toEqual(['delivered', 'delivered', 'delivered'])
  expect(seen).toContainEqual({ scheme: 'body', id: 'two', event: 'push', data: { data: 2 } })
})

test('a check of the endpoint stays until something is delivered, and is never passed on', async () => {
  const { folder, send, run } = await quarantined()
  const options = { scheme: challengeScheme, publicUrl: 'https://example.com' }
  const parts = { scheme: challengeScheme, url: 'https://example.com/webhooks' }
  const signed = await signDelivery(RIGHT, { type: 'url_verification', challenge: 'x' }, parts)
  expect(await send({ id: '', ...signed }, options)).toBe(401)
  const deliver = vi.fn()
  expect((await run({ ...options, deliver: undefined })).words).toEqual(['deliverable'])
  expect(await listKept(folder)).toHaveLength(1)
  expect((await run({ ...options, deliver })).words).toEqual(['duplicate'])
  expect(await listKept(folder)).toEqual([])
  expect(deliver).not.toHaveBeenCalled()
})
