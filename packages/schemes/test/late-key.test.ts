import crypto from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  CHANNELS,
  createReceiver,
  type Incoming,
  memoryStore,
  type Scheme,
  type SchemeKind,
  webhookHandler,
} from '@webhook-receiver/core'
import { sourceFor } from '@webhook-receiver/core/internal'
import { describe, expect, test, vi } from 'vitest'
import { type DefinedScheme, defineScheme, github } from '../src/index.ts'
import { sharesSecret } from '../src/neighbours/index.ts'
import { ACME } from './acme.ts'
import known from './keys.json' with { type: 'json' }
import { composed, macOf, requestOf, type Sample } from './signed.ts'
import { ALL, validRequest, vectorsOf } from './vectors.ts'

type Duplicates = 'id' | 'body' | undefined

/** What was recorded of a service, and what its scheme signs. Some records have no id, and are no deliveries. */
async function samplesOf(scheme: DefinedScheme): Promise<readonly Sample[]> {
  const recorded = vectorsOf(scheme).filter(({ valid }) => valid)
  return sharesSecret(scheme) ? [...recorded, await composed(scheme, { n: '1' })] : recorded
}

/** A request whose headers and body can be written into, and a receiver for it. */
function receiving(scheme: DefinedScheme | Scheme, sample: Sample, given: object = {}) {
  const headers: Record<string, string> = { ...sample.headers }
  const body = Uint8Array.from(sample.body)
  const receiver = createReceiver(sourceFor(scheme, sample.secret), {
    ...{ scheme: scheme as Scheme<unknown, SchemeKind>, ...given },
    ...(scheme.signsUrl && { publicUrl: () => sample.url }),
    ...(scheme.readTime && { tolerance: Number.POSITIVE_INFINITY }),
    limit: 10_000_000,
    onRejected: false,
  })
  const incoming = {
    method: 'POST',
    header: (name: string) => headers[name],
    readBody: () => body,
    context: undefined,
  } as unknown as Incoming<Request>
  return { headers, body, receive: () => receiver.receive(incoming) }
}

/** Writes into every object and list. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    spoil(inner)
    Reflect.set(value, name, 'spoilt')
  }
  Reflect.set(value, 'more', 'spoilt')
}

/** The key of a delivery, read at once, and read after the application wrote into all that it got. */
async function keysOf(scheme: DefinedScheme | Scheme, sample: Sample, duplicates: Duplicates) {
  const early = await receiving(scheme, sample, { duplicates }).receive()
  const { headers, receive } = receiving(scheme, sample, { duplicates })
  const late = await receive()
  spoil(late.delivery)
  spoil(headers)
  return [early.verification.key, late.verification.key] as const
}

const keys = new Map<string, Readonly<Record<string, string>>>()

test.each(ALL)(
  '$name has one key, read early or late, and that of every release',
  async (scheme) => {
    const { name, hasId } = scheme
    const recorded: Record<string, string> = {}
    for (const duplicates of [undefined, 'id', 'body'] as const) {
      if (duplicates === 'id' && !hasId) continue
      for (const sample of await samplesOf(scheme)) {
        const keys = await keysOf(scheme, sample, duplicates).catch((error) => {
          if (error.status !== 400) throw error
        })
        if (!keys) continue
        expect(keys[1]).toBe(keys[0])
        recorded[duplicates ?? 'default'] ??= keys[0].slice(0, 'sha256-'.length + 16)
      }
    }
    expect(recorded.id).toBe(hasId ? recorded.default : undefined)
    delete recorded.id
    keys.set(name, recorded)
    expect(recorded, 'no release may change a key').toEqual(Reflect.get(known, name) ?? recorded)
  },
)

test('keys.json has those of every service: for a new one, run this with --update', async () => {
  const all = ALL.map(({ name }) => [name, keys.get(name) ?? Reflect.get(known, name)])
  const text = JSON.stringify(Object.fromEntries(all.sort()), null, 2)
  await expect(`${text}\n`).toMatchFileSnapshot('keys.json')
})

describe('the key of GitHub, which is a hash', () => {
  /** Counts the hashes that a key is made of: two for each. */
  function countHashes() {
    const made = vi.spyOn(crypto, 'hash')
    return () => made.mock.calls.filter(([, , encoding]) => encoding === 'hex').length
  }

  const sent = validRequest(github)
  const options = { scheme: github, duplicates: 'id', onRejected: false } as const

  /** What is published while the function runs. */
  async function published(run: () => Promise<unknown>) {
    const messages: { readonly key: string }[] = []
    const listen = (message: unknown) => messages.push(message as { key: string })
    const channels = [CHANNELS.received, CHANNELS.claimed, CHANNELS.completed]
    for (const name of channels) subscribe(name, listen)
    await run()
    for (const name of channels) unsubscribe(name, listen)
    return messages
  }

  test('is not made for handlers, hooks and channels that do not read it', async () => {
    const hooks = { onAccepted: vi.fn(), onHandling: vi.fn() }
    const handler = webhookHandler(sent.secret, () => {}, { ...options, ...hooks })
    const hashes = countHashes()
    const messages = await published(() => handler(requestOf(sent)))
    expect([messages.length, hooks.onHandling.mock.calls.length, hashes()]).toEqual([3, 2, 0])
  })

  test('is made once for a store, the handler, hooks, channels and a queue', async () => {
    const steps: unknown[] = []
    const note = ({ key }: { readonly key?: string | undefined }) => steps.push(key)
    const work = (_: unknown, { verification }: { verification: { readonly key: string } }) => {
      note(verification)
      note({ ...verification })
    }
    const handler = webhookHandler(sent.secret, work, {
      ...{ ...options, store: memoryStore(), onAccepted: note, onHandling: note },
    })
    const hashes = countHashes()
    const messages = await published(() => handler(requestOf(sent)))
    messages.forEach(note)
    expect(steps).toHaveLength(8)
    expect(new Set(steps)).toEqual(new Set([expect.stringMatching(/^sha256-[0-9a-f]{64}$/)]))
    expect(hashes()).toBe(2)
  })

  test('is a property like the others: copies, JSON and structuredClone have it', async () => {
    const { verification } = await receiving(github, sent).receive()
    const hashes = countHashes()
    const names = ['rawBody', 'timestamp', 'endpoint', 'unsigned', 'secretName', 'webhookId', 'key']
    expect(Object.keys(verification)).toEqual(names)
    expect(Object.getPrototypeOf(verification)).toBe(Object.prototype)
    expect(hashes()).toBe(0)
    const messages = await published(receiving(github, sent).receive)
    for (const one of [verification, ...messages]) {
      const { key } = one
      const copies = [{ ...one }, Object.assign({}, one), structuredClone(one)]
      copies.push(JSON.parse(JSON.stringify(one)), Object.freeze(one))
      expect(copies.map((copy) => copy.key)).toEqual(copies.map(() => key))
      expect(Object.entries(one)).toContainEqual(['key', key])
      expect(() => Object.assign(one, { key: 'other' })).toThrow(TypeError)
    }
    expect(messages).toHaveLength(1)
  })

  test('is not made of a body whose memory was given away', async () => {
    const { body, receive } = receiving(github, sent)
    const { verification } = await receive()
    structuredClone(body.buffer, { transfer: [body.buffer] })
    expect(() => verification.key).toThrow(
      'before the memory of verification.rawBody is given away',
    )
  })

  test('is there at once for a `duplicates` function, which may not read it', async () => {
    const hashes = countHashes()
    const mine = vi.fn(() => 'mine')
    const { verification } = await receiving(github, sent, { duplicates: mine }).receive()
    expect(mine).toHaveBeenCalledTimes(1)
    expect(Object.getOwnPropertyDescriptor(verification, 'key')?.value).toBe('mine')
    expect(hashes()).toBe(0)
    const duplicates = (_: unknown, { key }: { readonly key: string }) => `mine:${key}`
    const other = await receiving(github, sent, { duplicates }).receive()
    expect(other.verification.key).toMatch(/^mine:sha256-/)
    expect(hashes()).toBe(2)
  })
})

test('a header that is signed has the value that was verified', async () => {
  const scheme = defineScheme({
    ...ACME,
    signed: [{ header: ['x-other', 'x-tenant'] }, { text: '.' }, 'body'],
  })
  const headers = { 'x-tenant': 'one', 'x-signature': macOf('one.{"n":1}') }
  const body = new TextEncoder().encode('{"n":1}')
  const sample = { secret: 'secret', url: '', body, headers }
  // `spoil` adds the header of the first name, which was not there.
  const { headers: changed, receive } = receiving(scheme, sample)
  const { verification } = await receive()
  Object.assign(changed, { 'x-other': 'two', 'x-tenant': 'two' })
  const [early] = await keysOf(scheme, sample, undefined)
  expect(verification.key).toBe(early)
})

test('a scheme of functions can read the headers late', async () => {
  const scheme: Scheme<string> = {
    name: 'functions',
    headers: ['x-tenant'],
    idHeader: undefined,
    hasId: false,
    hasEvent: false,
    tolerance: Number.POSITIVE_INFINITY,
    importKey: (secret) => secret,
    readHead: (request) => ({ timestamp: undefined, request }),
    verify: (_key, head) => Object(head).request.header('x-tenant') !== undefined,
    readBody: () => ({ scheme: 'functions', data: {} }),
    identity: (head, body) => [Object(head).request.header('x-tenant'), body],
  }
  const headers = { 'x-tenant': 'one' }
  const sample = { secret: 'secret', url: '', headers, body: new Uint8Array(2) }
  const [early, late] = await keysOf(scheme, sample, undefined)
  expect(late).toBe(early)
})
