import {
  createDeliveryHandler,
  memoryStore,
  parseStoredDelivery,
  webhookHandler,
} from '@webhook-receiver/core'
import { describe, expect, test, vi } from 'vitest'
import {
  type DefinedScheme,
  defineScheme,
  github,
  linear,
  square,
  stripe,
  telnyx,
  twilio,
} from '../src/index.ts'
import { sharesSecret } from '../src/neighbours/index.ts'
import type { Place } from '../src/value.ts'
import { ACME } from './acme.ts'
import { composed, macOf, NOW, receive, requestOf, type Sample, signed } from './signed.ts'
import { ALL, validRequest } from './vectors.ts'

const quiet = { now: () => NOW, onRejected: false, publicUrl: 'https://example.com' } as const

type Sent = Parameters<typeof receive>[1]

async function keyOf(scheme: DefinedScheme, sent: Sent, duplicates?: string) {
  return (await receive(scheme, sent, { ...quiet, duplicates })).verification.key
}

const keysOf = (scheme: DefinedScheme, sent: readonly Sent[], duplicates?: string) =>
  Promise.all(sent.map((one) => keyOf(scheme, one, duplicates)))

/** What a scheme has besides the body that picks the work and is not signed: its headers, by name. */
function unsignedHeaders({ value, unsigned = [] }: DefinedScheme): readonly string[] {
  return (['id', 'event'] as const)
    .filter((one) => unsigned.includes(one))
    .flatMap((one) => value[one] ?? [])
    .flatMap((place) => namesIn(place).slice(0, 1))
}

function namesIn(place: Place): readonly string[] {
  return 'header' in place ? [place.header].flat() : []
}

/** Composed where the secret is shared, and recorded where only the service signs. */
async function sampleOf(scheme: DefinedScheme): Promise<Sample> {
  return sharesSecret(scheme) ? composed(scheme, { n: '1' }) : validRequest(scheme)
}

const headers = ALL.flatMap((scheme) =>
  unsignedHeaders(scheme).map((header) => [scheme.name, header, scheme] as const),
)

test.each(headers)(
  'of %s, %s is in the key, because it is not signed',
  async (_, header, scheme) => {
    const sent = await sampleOf(scheme)
    const other = { ...sent, headers: { ...sent.headers, [header]: 'another' } }
    const isEvent = scheme.value.event?.some((place) => namesIn(place).includes(header))
    for (const duplicates of [undefined, 'body']) {
      const [first, second] = await keysOf(scheme, [sent, other], duplicates)
      // By the body, an id that is not signed counts for nothing.
      expect(second !== first).toBe(isEvent === true || !duplicates)
    }
  },
)

test.each(ALL.filter(({ unsigned = [] }) => unsigned.includes('id')))(
  'an id of $name, which is not signed, may be missing, also with a store',
  async (scheme) => {
    const sent = await sampleOf(scheme)
    const [id] = unsignedHeaders(scheme)
    const headers = Object.fromEntries(Object.entries(sent.headers).filter(([name]) => name !== id))
    const work = vi.fn()
    const handler = webhookHandler(sent.secret, work, {
      ...{ ...quiet, scheme, store: memoryStore(), duplicates: 'id' },
    })
    for (let times = 0; times < 2; times++)
      expect((await handler(requestOf({ ...sent, headers }))).ok).toBe(true)
    expect(work).toHaveBeenCalledTimes(1)
    expect(work.mock.calls[0]?.[0]).not.toHaveProperty('id')
  },
)

describe('a retry that is signed again keeps its key', () => {
  const field = defineScheme({
    ...ACME,
    signature: { ...ACME.signature, separator: ',', field: 'v1' },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { field: 't' }, unit: 's', tolerance: 300 },
    id: [{ header: 'x-id' }],
  })
  const nested = defineScheme({
    ...linear.value,
    name: 'nested',
    timestamp: { at: { pointer: '/a~1b/t' }, unit: 'ms' },
  })
  test.each<[string, DefinedScheme, (time: number) => string]>([
    ['a field of the header', field, () => '{"a":1}'],
    ['the body', linear, (time) => `{"type":"Issue","webhookTimestamp":${time},"data":{"id":1}}`],
    ['an object of the body', nested, (time) => `{"a/b":{"t":${time},"n":1}}`],
    [
      'a field of a form',
      defineScheme({
        ...twilio.value,
        name: 'forms',
        signed: ['form'],
        bodyDigest: undefined,
        urlSpellings: undefined,
        body: 'form',
        timestamp: { at: { pointer: '/ts' }, unit: 's' },
      }),
      (time) => `a=1&ts=${Math.floor(time / 1000)}`,
    ],
  ])('with its time in %s', async (_where, scheme, body) => {
    const sent = await Promise.all(
      [NOW, NOW + 60_000].map((time) => signed(scheme, body(time), { time })),
    )
    for (const duplicates of ['id', 'body']) {
      const [first, second] = await keysOf(scheme, sent, duplicates)
      expect(second).toBe(first)
    }
  })

  test.each<[string, DefinedScheme, (n: number) => string]>([
    ['another body', linear, (n) => `{"webhookTimestamp":${NOW},"n":${n}}`],
    ['another object', nested, (n) => `{"a/b":{"t":${NOW},"n":${n}}}`],
    ['another URL', square, () => '{"event_id":"1"}'],
  ])('and %s has another', async (_what, scheme, body) => {
    const sent = [1, 2].map((n) => signed(scheme, body(n), { url: `https://example.com/${n}` }))
    const [first, second] = await keysOf(scheme, await Promise.all(sent), 'body')
    expect(second).not.toBe(first)
  })
})

test('a header that is signed is part of the key', async () => {
  const signed = [{ header: 'x-tenant' }, { text: '.' }, 'body'] as const
  const sent = ['one', 'two', 'one'].map((tenant) => ({
    body: '{"n":1}',
    headers: { 'x-tenant': tenant, 'x-signature': macOf(`${tenant}.{"n":1}`) },
  }))
  const [first, second, copy] = await keysOf(defineScheme({ ...ACME, signed }), sent)
  expect(second).not.toBe(first)
  expect(copy).toBe(first)
})

test('where an id is optional, an event without one is known by what was signed', async () => {
  const scheme = defineScheme({ ...ACME, id: [{ pointer: '/id' }], idIsOptional: true })
  const sent = ['{"id":"e1"}', '{"n":1}', '{"n":1}', '{"n":2}'].map((body) => signed(scheme, body))
  const [id, first, copy, other] = await keysOf(scheme, await Promise.all(sent))
  expect([id, first]).toEqual(['e1', expect.stringMatching(/^sha256-[0-9a-f]{64}$/)])
  expect(copy).toBe(first)
  expect(other).not.toBe(first)
})

describe('a form whose fields are signed', () => {
  const text = 'https://example.com/hookBodyhello +1MessageSidSM1'
  const headers = {
    'x-twilio-signature': macOf(text, { hash: 'sha1', as: 'base64' }),
    'i-twilio-idempotency-token': 'token',
  }
  const send = (body: string, url = 'https://example.com/hook') => ({ url, body, headers })

  test('has one key for every way to write it, and one work', async () => {
    const work = vi.fn()
    const handler = webhookHandler('secret', work, {
      ...{ ...quiet, scheme: twilio, store: memoryStore(), duplicates: 'body' },
    })
    const copies = [
      'MessageSid=SM1&Body=hello+%2B1',
      'Body=hello+%2b1&MessageSid=SM1',
      'Body=hello+%2B1&Body=hello+%2B1&MessageSid=SM1',
      '%42ody=h%65llo+%2B1&MessageSid=SM1',
    ]
    for (const body of copies) expect((await handler(requestOf(send(body)))).ok).toBe(true)
    expect(work.mock.calls.map(([{ data }]) => data)).toEqual([
      { Body: 'hello +1', MessageSid: 'SM1' },
    ])
  })

  test('has another key where it is cut differently, so that no garbage takes the place of a message', async () => {
    const [valid, ...cuts] = await keysOf(twilio, [
      send('Body=hello+%2B1&MessageSid=SM1'),
      send('Bod=yhello+%2B1&MessageSid=SM1'),
      send('Body=hello+%2B1MessageSidSM1'),
      send('hello+%2B1MessageSidSM1', 'https://example.com/hookBody'),
    ])
    expect(cuts).not.toContain(valid)
  })
})

describe('a worker', () => {
  const work = vi.fn()
  const workerOf = (scheme: DefinedScheme, duplicates?: 'id' | 'body') =>
    createDeliveryHandler(work, { scheme, store: memoryStore(), duplicates } as object)
  const acme = defineScheme({ ...github.value, name: 'acme', id: [{ pointer: '/id' }] })
  const stored = (scheme: DefinedScheme, json: object = { id: '1', event: 'ping', data: {} }) =>
    parseStoredDelivery({ scheme: scheme.name, ...json }, { scheme }) as never

  test('is given the key with the stored delivery', async () => {
    const sent = await signed(github, '{"n":1}')
    const { delivery, verification } = await receive(github, sent, { duplicates: 'id' })
    const { endpoint, key } = verification
    const job = JSON.parse(JSON.stringify({ delivery, facts: { endpoint, key } }))
    const handle = workerOf(github, 'id')
    work.mockClear()
    expect(await handle(stored(github, job.delivery), job.facts)).toBe('completed')
    // The verification itself fits.
    expect(await handle(stored(github, job.delivery), verification)).toBe('duplicate')
    expect(work).toHaveBeenCalledTimes(1)
  })

  const missing = 'The delivery comes without its key.'
  test.each<[string, DefinedScheme, 'id' | 'body' | undefined, object | undefined, string]>([
    ['where the id is not signed', github, 'id', undefined, missing],
    ['with its endpoint', github, 'id', { key: '1' }, '`endpoint` should be the'],
    ['where the id is signed and the event is not', acme, undefined, undefined, missing],
    ['as text', acme, undefined, { endpoint: 'acme', key: 5 }, '`key` should be the `verificat'],
    ['where another key than the id is chosen', stripe, 'body', undefined, missing],
  ])('needs it %s', async (_, scheme, duplicates, facts, message) => {
    const handled = workerOf(scheme, duplicates)(stored(scheme), facts as never)
    await expect(handled).rejects.toThrow(message)
  })

  test('needs none of a service that signs the id, unless a delivery has no id', async () => {
    const handle = workerOf(stripe)
    const outcomes = [await handle(stored(stripe)), await handle(stored(stripe))]
    expect(outcomes).toEqual(['completed', 'duplicate'])
    const withoutId = stored(telnyx, { event: '', data: {} })
    await expect(workerOf(telnyx)(withoutId)).rejects.toThrow(missing)
  })

  test('takes no key of an unsigned id that nobody chose', async () => {
    const sent = await signed(github, '{"n":1}')
    const { delivery, verification } = await receive(github, sent)
    await expect(workerOf(github, 'body')(delivery as never, verification)).rejects.toThrow(
      '`duplicates` is missing where the delivery was verified',
    )
    expect(await workerOf(github, 'id')(delivery as never, verification)).toBe('completed')
  })
})

describe('tenants on one store', () => {
  const endpoint = vi.fn((request: Request) => new URL(request.url).pathname.slice(1))

  test('two deliveries with one id run both, and a copy of each does not', async () => {
    const [work, onAccepted] = [vi.fn(), vi.fn()]
    const handler = webhookHandler('secret', work, {
      ...{ ...quiet, scheme: stripe, store: memoryStore(), endpoint, onAccepted },
    })
    const sent = await signed(stripe, '{"id":"1","type":"invoice.paid"}')
    for (const tenant of ['acme', 'globex', 'acme', 'globex']) {
      const request = requestOf({ ...sent, url: `https://a.example/${tenant}` })
      expect((await handler(request)).status).toBe(204)
    }
    expect(work.mock.calls.map(([, { verification }]) => verification)).toMatchObject([
      { endpoint: 'stripe:acme', key: '1' },
      { endpoint: 'stripe:globex', key: '1' },
    ])
    // Logs and metrics keep the one name.
    expect(onAccepted.mock.calls.slice(0, 2)).toMatchObject([
      [{ endpoint: 'stripe', tenant: 'acme', key: '1' }],
      [{ endpoint: 'stripe', tenant: 'globex', key: '1' }],
    ])
  })

  test('the function runs for no request that was not verified', async () => {
    endpoint.mockClear()
    const sent = { ...(await signed(stripe, '{"id":"1"}')), body: '{}' }
    await expect(receive(stripe, sent, { endpoint })).rejects.toMatchObject({ status: 401 })
    expect(endpoint).not.toHaveBeenCalled()
  })
})
