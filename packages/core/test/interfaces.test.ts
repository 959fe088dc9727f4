import { expect, test, vi } from 'vitest'
import { misfitOf } from '../src/copies/interfaces.ts'
import {
  createDeliveryHandler,
  createReceiver,
  type DeliveryStore,
  forgetDelivery,
  memoryStore,
  parseStoredDelivery,
  type Quarantine,
  type Scheme,
  WebhookError,
  webhookHandler,
} from '../src/index.ts'
import { contract, keeping } from '../src/internal.ts'
import { prepareDelivery, signDelivery, signedRequest } from '../src/testing/index.ts'
import { current, NOW } from './deliveries.ts'

const MAKER = Symbol.for('@webhook-receiver/core.maker')

/** What another release of a package has made. */
function made<Value extends object>(name: string, value: Value, number = 2): Value {
  const maker = { package: `@webhook-receiver/${name}`, version: '99.1.0', interface: number }
  return Object.assign(value, { [MAKER]: maker })
}

const scheme = (): Scheme => made('schemes', { ...contract, name: 'acme' })
const store = (): DeliveryStore => made('redis', { ...memoryStore() })
const quarantine = (): Quarantine => made('quarantine', { accepted() {}, keep: () => true })
const diagnose = () => made('diagnose', () => Promise.reject(new Error('It was called.')))
const receive = () =>
  made(
    'inbox',
    keeping(() => {}, 'id'),
  )

const secret = current.secret

test.each([
  ['the scheme of a receiver', 'schemes', () => createReceiver(secret, { scheme: scheme() })],
  ['that of a worker', 'schemes', () => createDeliveryHandler(() => {}, { scheme: scheme() })],
  ['one of several', 'schemes', () => parseStoredDelivery('{}', { schemes: [contract, scheme()] })],
  ['that of a signed delivery', 'schemes', () => signDelivery(secret, {}, { scheme: scheme() })],
  ['that of one to post', 'schemes', () => prepareDelivery('a', {}, { secret, scheme: scheme() })],
  ['the store of a handler', 'redis', () => webhookHandler(secret, () => {}, { store: store() })],
  [
    'a store that has another form',
    'redis',
    () => webhookHandler(secret, () => {}, { store: made('redis', { take() {} }) as never }),
  ],
  ['the store of a mark', 'redis', () => forgetDelivery(store(), { endpoint: 'a', key: 'b' })],
  ['a quarantine', 'quarantine', () => createReceiver(secret, { quarantine: quarantine() })],
  ['a diagnosis', 'diagnose', () => createReceiver(secret, { diagnose: diagnose() })],
  ['an inbox', 'inbox', () => webhookHandler(secret, receive())],
  ['an inbox for one event', 'inbox', () => webhookHandler(secret, { 'message.read': receive() })],
])('%s with another number is a TypeError that names both packages', async (_, name, start) => {
  const says =
    `is from @webhook-receiver/${name} 99\\.1\\.0, which does not fit @webhook-receiver/core (\\S+)\\. ` +
    `.*npm install @webhook-receiver/${name}@\\1, `
  const started = (async () => start())()
  await expect(started).rejects.toThrow(TypeError)
  await expect(started).rejects.toThrow(new RegExp(says))
})

test('another release with the same number is accepted', () => {
  const older = made('schemes', { ...contract, name: 'acme' }, 1)
  expect(createReceiver(secret, { scheme: older }).limit).toBe(1_048_576)
})

test('what an application has written is accepted', () => {
  const own = Object.fromEntries(Object.entries(memoryStore())) as never
  expect(MAKER in own).toBe(false)
  expect(webhookHandler(secret, () => {}, { store: own })).toBeTypeOf('function')
  for (const value of [undefined, null, 'text', () => {}, {}]) {
    expect(misfitOf('store', value)).toBeUndefined()
  }
})

/** An error that a release with more reasons has made. */
function newer(status: number, code: string) {
  const error = new WebhookError('signature_mismatch', 'DETAIL')
  return Object.assign(error, { reason: 'newer', status, statusCode: status, code, headers: {} })
}

test.each([
  [401, 'not_authenticated', true],
  [451, 'not_here', false],
  [507, 'no_room', true],
])('a rejection with %i and an unknown reason gets that status', async (status, code, isKept) => {
  const onRejected = vi.fn()
  const keep = vi.fn(() => true)
  const scheme = {
    ...contract,
    verify() {
      throw newer(status, code)
    },
  }
  const options = { scheme, now: () => NOW, onRejected, quarantine: { accepted() {}, keep } }
  const response = await webhookHandler(secret, () => {}, options)(await posted())
  expect(response.status).toBe(status)
  expect(onRejected.mock.calls).toMatchObject([[{ status, reason: 'newer', detail: 'DETAIL' }]])
  expect(keep).toHaveBeenCalledTimes(isKept ? 1 : 0)
  expect(await response.json()).toEqual({ code, message: code.replaceAll('_', ' ') })
})

test.each([
  [503, 503, 'receiver_unavailable'],
  [401, 500, 'receiver_error'],
])('a handler that throws %i with an unknown reason gets %i', async (thrown, status, code) => {
  const failing = () => {
    throw newer(thrown, 'receiver_unavailable')
  }
  const onError = vi.fn()
  const options = { now: () => NOW, onError, onRejected: false as const }
  const response = await webhookHandler(secret, failing, options)(await posted())
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code })
  expect(onError).toHaveBeenCalledTimes(thrown === 503 ? 0 : 1)
})

const posted = () => signedRequest('message.received', {}, { secret, now: () => NOW })
