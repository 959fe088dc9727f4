import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { contract } from '../../src/contract/scheme.ts'
import { createReceiver, type Receiver } from '../../src/index.ts'
import {
  current,
  expectRejection,
  incoming,
  NOW,
  previous,
  receiverWith,
  signed,
} from '../deliveries.ts'
import { failOnUnhandled } from '../handling/stores.ts'
import { request } from '../request/streams.ts'

failOnUnhandled()

const settings = { now: () => NOW, onRejected: false } as const

/** Makes a receiver as JavaScript can, with no compiler in the way. */
const create = (secret: unknown): Receiver =>
  Reflect.apply(createReceiver, undefined, [secret, settings])

test.each([
  ['a promise', async () => current.secret, undefined],
  ['a promise of names', async () => ({ new: current.secret }), 'new'],
])('may give %s', async (_, secret, name) => {
  const { verification } = await receiverWith({}, secret).receive(incoming('message.received'))
  expect(verification.secretName).toBe(name)
})

test('may give a promise where something has replaced Promise, as zone.js does', async () => {
  vi.stubGlobal('Promise', class extends Promise<unknown> {})
  const receiver = receiverWith({}, async () => current.secret)
  expect((await receiver.receive(incoming('message.received'))).delivery.known).toBe(true)
})

test('is given the context that receiveRequest names', async () => {
  const asked = vi.fn((_context: { tenant: string }) => current.secret)
  const context = { tenant: 'blue' }
  await createReceiver(asked, settings).receiveRequest(request('message.received'), context)
  expect(asked.mock.calls).toEqual([[context]])
})

const failing: readonly (readonly [string, unknown, string])[] = [
  ['throws', fail, 'vault is sealed'],
  ['rejects with no Error', () => Promise.reject('text'), 'it threw a value that is not an Error'],
  ['throws an Error of another realm, as Node does in Jest', failElsewhere, 'vault is sealed'],
  ['gives undefined', () => undefined, 'environment variable set, or is the tenant unknown?'],
  ['gives no names', () => ({}), 'such as { current, previous }'],
  ['gives a function', () => () => 'whsec_MARK', 'The secret is a function'],
]

test.each(failing)(
  'that %s is the receiver’s fault: 503 secret_unavailable, nothing read',
  async (_, secret, fault) => {
    const readBody = vi.fn(() => signed('message.received').body)
    const attempt = create(secret).receive(incoming('message.received', { readBody }))
    const { detail } = await expectRejection(attempt, 503, 'secret_unavailable')
    expect(detail).toContain(fault)
    expect(detail).not.toContain('MARK')
    expect(readBody).not.toHaveBeenCalled()
  },
)

test('that gives what another key is gets a line that says so, with nothing cut off', async () => {
  const lines = vi.spyOn(console, 'error').mockReturnValue()
  const secret = { called: 'the secret', begins: 'whsec_', mistaken: { 'sk-ant-': 'an API key' } }
  const scheme = { ...contract, name: 'anthropic', secret }
  const options = { scheme, endpoint: 'anthropic' }
  const receiver = createReceiver(() => 'sk-ant-api03-MARKMARKMARK', options)
  await expectRejection(receiver.receive(incoming('message.received')), 503, 'secret_unavailable')
  expect(String(lines.mock.calls[0])).toContain(
    '503 secret_unavailable at anthropic: The secret of the endpoint "anthropic" begins with "sk-ant-": that is an API key. https:',
  )
})

test('that failed once is asked again by the next request', async () => {
  let calls = 0
  const receiver = receiverWith({}, () => (calls++ === 0 ? fail() : current.secret))
  const first = receiver.receive(incoming('message.received'))
  const { cause } = await expectRejection(first, 503, 'secret_unavailable')
  expect(cause).toEqual(new Error('vault is sealed'))
  const { delivery } = await receiver.receive(incoming('message.received'))
  expect(delivery.event).toBe('message.received')
})

test('keeps tenants apart', async () => {
  const secrets = new Map([
    ['blue', current.secret],
    ['green', previous.secret],
  ])
  const receiver = createReceiver<string>((tenant) => secrets.get(tenant), settings)
  const attempt = (name: 'message.received' | 'previous secret', context: string) =>
    receiver.receive({ ...incoming(name), context })
  expect((await attempt('message.received', 'blue')).delivery.known).toBe(true)
  expect((await attempt('previous secret', 'green')).delivery.known).toBe(true)
  await expectRejection(attempt('message.received', 'green'), 401, 'signature_mismatch')
  await expectRejection(attempt('previous secret', 'blue'), 401, 'signature_mismatch')
  await expectRejection(attempt('message.received', 'red'), 503, 'secret_unavailable')
})

test.each([
  ['a property', async () => ({ current: failLater() })],
  ['an item', () => [failLater()]],
])('a promise that rejects as %s is 503, and ends no process', async (_, secrets) => {
  const attempt = receiverWith({}, secrets as never).receive(incoming('message.received'))
  await expectRejection(attempt, 503, 'secret_unavailable')
})

function fail(): never {
  throw new Error('vault is sealed')
}

async function failLater(): Promise<never> {
  return fail()
}

function failElsewhere(): never {
  throw runInNewContext("new Error('vault is sealed')")
}
