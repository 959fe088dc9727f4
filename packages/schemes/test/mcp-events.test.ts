import {
  createReceiver,
  memoryStore,
  type Rejection,
  type SubscriptionSecrets,
  webhookHandler,
} from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { mcpEvents, standardWebhooks, subscriptionEnded } from '../src/index.ts'
import { macOf, requestOf } from './signed.ts'

const NOW = 1_795_392_000
const now = () => NOW * 1000
const [ONE, TWO, NEXT] = ['one', 'two', 'next'].map(
  (name) => `whsec_${Buffer.from(`the secret of a subscription, ${name}`).toString('base64')}`,
) as [string, string, string]

const EVENT = {
  eventId: 'evt_1',
  name: 'incident.created',
  timestamp: '2026-11-23T07:00:00Z',
  data: { title: '$& 🚨' },
  cursor: 'cursor_1',
}
const CHALLENGE = { type: 'verification', challenge: 'nonce-1_2' }

interface Sent {
  readonly body?: object
  readonly id?: string
  readonly time?: number
  readonly subscription?: string
  readonly secrets?: readonly string[]
}

/** As the specification describes it, and not by the engine. */
function request({
  body: content = EVENT,
  id = 'evt_1',
  time = NOW,
  subscription = 'sub_1',
  secrets = [ONE],
}: Sent = {}): Request {
  const body = JSON.stringify(content)
  const signed = Buffer.from(`${id}.${time}.${body}`).toString('latin1')
  const signatures = secrets.map((whole) => {
    const secret = Buffer.from(whole.slice('whsec_'.length), 'base64')
    return `v1,${macOf(signed, { secret, as: 'base64' })}`
  })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${time}`,
    'webhook-signature': signatures.join(' '),
    'x-mcp-subscription-id': subscription,
  }
  return requestOf({ headers, body })
}

/** Two subscriptions, one that has ended, and a secret that waits for the id of its subscription. */
const subscriptions: SubscriptionSecrets = {
  async secretsOf(id) {
    if (id === 'sub_ended') throw subscriptionEnded()
    return { sub_1: ONE, sub_2: TWO }[id]
  },
  pending: async () => [NEXT],
}

/** A handler, and what it has run or rejected. */
function receiving(secrets: SubscriptionSecrets = subscriptions) {
  const seen: (string | undefined)[] = []
  const note = (kind: string) => (delivery: { readonly id: string }) => {
    seen.push(`${kind} ${delivery.id}`)
  }
  const handlers = { gap: note('gap'), terminated: note('terminated'), any: note('event') }
  const onRejected = ({ reason }: Rejection) => void seen.push(reason)
  const options = { scheme: mcpEvents, store: memoryStore(), now, onRejected }
  return { handle: webhookHandler(secrets, handlers, options), seen }
}

describe('of the rules of the specification, the receiver keeps', () => {
  const id = 'msg_verification_1'
  test.each<[string, Sent, number, string]>([
    ['an event runs', {}, 204, 'event evt_1'],
    ['its key is the eventId', { id: 'msg_9' }, 204, 'event evt_1'],
    ['a header of the message is its id', { body: { type: 'gap' }, id: 'm' }, 204, 'gap m'],
    ['gap is no event', { body: { type: 'gap', cursor: 'c' } }, 204, 'gap evt_1'],
    ['terminated is none', { body: { type: 'terminated' } }, 204, 'terminated evt_1'],
    ['an own secret', { subscription: 'sub_2' }, 401, 'signature_mismatch'],
    ['one of two secrets', { subscription: 'sub_2', secrets: [ONE, TWO] }, 204, 'event evt_1'],
    ['5 minutes', { time: NOW - 301 }, 401, 'timestamp_too_old'],
    ['503 at first', { subscription: 'new' }, 503, 'subscription_unknown'],
    ['410 at the end', { subscription: 'sub_ended' }, 410, 'subscription_ended'],
    ['no unsigned check', { body: CHALLENGE, secrets: [TWO] }, 401, 'signature_mismatch'],
    ['its subscription', { subscription: '' }, 401, 'signature_missing'],
    ['no space in it', { subscription: 'a b' }, 401, 'signature_malformed'],
    ['512 characters', { subscription: 'x'.repeat(513) }, 401, 'signature_malformed'],
  ])('%s', async (_rule, sent, status, outcome) => {
    const { handle, seen } = receiving()
    expect((await handle(request(sent))).status).toBe(status)
    expect(seen).toEqual([outcome])
  })

  test.each([
    ['that is not known', 'new'],
    ['that has ended, and begins again', 'sub_ended'],
  ])('the check of a subscription %s gets its challenge back', async (_, subscription) => {
    const { handle, seen } = receiving()
    const sent = request({ body: CHALLENGE, id, subscription, secrets: [NEXT] })
    const response = await handle(sent)
    expect([response.status, await response.json()]).toEqual([200, { challenge: 'nonce-1_2' }])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(seen).toEqual([])
  })
})

test('two subscriptions each get an event, and a retry with a new signature runs nothing', async () => {
  const { handle, seen } = receiving()
  for (const time of [NOW, NOW + 60]) {
    for (const [subscription, secret] of [
      ['sub_1', ONE],
      ['sub_2', TWO],
    ] as const)
      expect((await handle(request({ subscription, secrets: [secret], time }))).status).toBe(204)
  }
  expect(seen).toEqual(['event evt_1', 'event evt_1'])
})

const HASHED = /^mcp-events:sha256\.(?!0{56})[\da-f]{56}$/

test.each([
  ['sub_1', {}, 'mcp-events:sub_1'],
  ['a/b', {}, HASHED],
  ['x'.repeat(201), {}, HASHED],
  [`sha256.${'0'.repeat(56)}`, {}, HASHED],
  ['sub_1', { endpoint: () => 'acme' }, HASHED],
])('the endpoint of the subscription %s holds it', async (subscription, options, expected) => {
  const receiver = createReceiver({ secretsOf: () => ONE }, { scheme: mcpEvents, now, ...options })
  const { verification } = await receiver.receiveRequest(request({ subscription }))
  expect(verification.endpoint).toMatch(expected)
  expect(verification.key).toBe('evt_1')
})

test('one secret for all is a TypeError, since the header would not be signed by it', () => {
  for (const secret of [ONE, { a: ONE }, () => ONE]) {
    expect(() => createReceiver(secret, { scheme: mcpEvents })).toThrow(
      /^Pass \{ secretsOf \} instead of a secret: mcp-events signs each subscription with its own\./,
    )
  }
  expect(() => createReceiver(subscriptions, { scheme: standardWebhooks })).toThrow(
    'Pass a secret instead of { secretsOf }: the requests of standard-webhooks name no subscription.',
  )
})

const away = () => Promise.reject(new Error('away'))

test.each<[string, Partial<SubscriptionSecrets>, string?]>([
  ['secretsOf throws', { secretsOf: away }],
  ['it returns something else', { secretsOf: () => 7 as never }],
  ['pending throws', { pending: away }, 'new'],
  ['pending returns more than 100', { pending: () => Array(101).fill(NEXT) }, 'new'],
])('%s: 503, and nothing runs', async (_, secrets, subscription) => {
  const { handle, seen } = receiving({ ...subscriptions, ...secrets })
  const sent = request({ body: CHALLENGE, subscription, secrets: [ONE, NEXT] } as Sent)
  expect((await handle(sent)).status).toBe(503)
  expect(seen).toEqual(['secret_unavailable'])
})

test('the functions get the request', async () => {
  const [secretsOf, pending] = [vi.fn(), vi.fn(() => [])]
  const sent = request({ subscription: 'new' })
  expect((await receiving({ secretsOf, pending }).handle(sent)).status).toBe(503)
  expect([secretsOf.mock.calls, pending.mock.calls]).toEqual([[['new', sent]], [[sent]]])
})

test('a signer sends events, and controls without an id in their body', () => {
  const composed = (data: object, event: string) => {
    const bytes = mcpEvents.compose?.(data, { id: 'one', event, time: now(), url: '' })
    return JSON.parse(new TextDecoder().decode(bytes))
  }
  expect(composed({ cursor: 'c' }, 'gap')).toEqual({ cursor: 'c', type: 'gap' })
  expect(composed({ data: {} }, 'a.b')).toEqual({ eventId: 'one', name: 'a.b', data: {} })
})

test.each<[string, object, string, number, number]>([
  ['responds to the check of an MCP server', CHALLENGE, 'msg_verification_1', 200, 0],
  ['passes on what has another id', CHALLENGE, 'msg_1', 204, 1],
  [
    'passes on what has another property',
    { ...CHALLENGE, data: {} },
    ...(['msg_verification_1', 204, 1] as const),
  ],
])('standardWebhooks %s', async (_, body, id, status, runs) => {
  const work = vi.fn()
  const handle = webhookHandler(ONE, work, { scheme: standardWebhooks, now, onRejected: false })
  const response = await handle(request({ body, id }))
  const text = runs === 0 ? '{"challenge":"nonce-1_2"}' : ''
  expect([response.status, await response.text()]).toEqual([status, text])
  expect(work).toHaveBeenCalledTimes(runs)
})

test('a signed delivery names the subscription that is its instance', async () => {
  const signing = { scheme: mcpEvents, instanceId: 'sub_9', now }
  const sent = requestOf(await signDelivery(ONE, 'incident.created', signing))
  expect(sent.headers.get('x-mcp-subscription-id')).toBe('sub_9')
  const receiver = createReceiver(
    { secretsOf: (id) => (id === 'sub_9' ? ONE : undefined) },
    { scheme: mcpEvents, now },
  )
  expect(await receiver.receiveRequest(sent)).toMatchObject({
    delivery: { event: 'incident.created' },
    verification: { endpoint: 'mcp-events:sub_9' },
  })
})
