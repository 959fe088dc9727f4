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
  type Rejection,
  type Scheme,
  WebhookError,
  webhookHandler,
} from '../src/index.ts'
import { contract, keeping } from '../src/internal.ts'
import { prepareDelivery, signDelivery } from '../src/testing/index.ts'
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

test.each<readonly [what: string, name: string, start: () => unknown]>([
  ['the scheme of a receiver', 'schemes', () => createReceiver(secret, { scheme: scheme() })],
  ['that of a worker', 'schemes', () => createDeliveryHandler(() => {}, { scheme: scheme() })],
  ['one of several', 'schemes', () => parseStoredDelivery('{}', { schemes: [contract, scheme()] })],
  ['that of a signed delivery', 'schemes', () => signDelivery(secret, {}, { scheme: scheme() })],
  [
    'that of one to post',
    'schemes',
    () => prepareDelivery('message.read', {}, { secret, scheme: scheme() }),
  ],
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
  const error = await Promise.resolve()
    .then(start)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toMatch(
    new RegExp(
      `is from @webhook-receiver/${name} 99\\.1\\.0, which does not fit @webhook-receiver/core (\\S+)\\. ` +
        `Install both in one version: npm install @webhook-receiver/${name}@\\1, `,
    ),
  )
})

test('another release with the same number is accepted', () => {
  const older = made('schemes', { ...contract, name: 'acme' }, 1)
  expect(createReceiver(secret, { scheme: older }).limit).toBe(1_048_576)
})

test('what an application has written is accepted', () => {
  const own: DeliveryStore = Object.fromEntries(Object.entries(memoryStore())) as never
  expect(MAKER in own).toBe(false)
  expect(webhookHandler(secret, () => {}, { store: own })).toBeTypeOf('function')
  for (const value of [undefined, null, 'text', () => {}, {}]) {
    expect(misfitOf('store', value)).toBeUndefined()
  }
})

/** An error that a release with more reasons has made. */
function newer(status: number, code: string): WebhookError {
  const error = new WebhookError('signature_mismatch', 'DETAIL')
  return Object.assign(error, { reason: 'newer', status, statusCode: status, code, headers: {} })
}

test.each([
  [401, 'not_authenticated', true],
  [451, 'not_here', false],
  [507, 'no_room', true],
])('a rejection with %i and an unknown reason gets that status', async (status, code, isKept) => {
  const kept: unknown[] = []
  const rejections: Rejection[] = []
  const rejecting: Scheme = {
    ...contract,
    verify() {
      throw newer(status, code)
    },
  }
  const options = {
    scheme: rejecting,
    now: () => NOW,
    onRejected: (rejection: Rejection) => void rejections.push(rejection),
    quarantine: { accepted() {}, keep: (record: unknown) => kept.push(record) > 0 },
  }
  const { request } = await posted()
  const response = await webhookHandler(secret, () => {}, options)(request)
  expect(response.status).toBe(status)
  expect(rejections).toMatchObject([{ status, reason: 'newer', detail: 'DETAIL' }])
  expect(kept).toHaveLength(isKept ? 1 : 0)
  expect(await response.json()).toEqual({ code, message: code.replaceAll('_', ' ') })
})

test.each([
  [503, 503, 'receiver_unavailable'],
  [401, 500, 'receiver_error'],
])('a handler that throws %i with an unknown reason gets %i', async (thrown, status, code) => {
  const { request } = await posted()
  const failing = () => {
    throw newer(thrown, 'receiver_unavailable')
  }
  const onError = vi.fn()
  const options = { now: () => NOW, onError, onRejected: false as const }
  const response = await webhookHandler(secret, failing, options)(request)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code })
  expect(onError).toHaveBeenCalledTimes(thrown === 503 ? 0 : 1)
})

async function posted() {
  const now = () => NOW
  const { headers, body } = await signDelivery(secret, 'message.received', { now })
  return { request: new Request('http://localhost/', { method: 'POST', headers, body }) }
}
