import { createHmac } from 'node:crypto'
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
import { requestOf } from './signed.ts'

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
  readonly id?: string
  readonly time?: number
  readonly subscription?: string
  readonly secrets?: readonly string[]
}

/** As the specification describes it, and not by the engine. */
function request(
  body: object | string,
  { id = 'evt_1', time = NOW, subscription = 'sub_1', secrets = [ONE] }: Sent = {},
): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')}`
  })
  return new Request('https://example.com/mcp-events', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': signatures.join(' '),
      'x-mcp-subscription-id': subscription,
    },
    body: text,
  })
}

/** Two subscriptions, one that has ended, and a secret that waits for the id of its subscription. */
const subscriptions: SubscriptionSecrets = {
  async secretsOf(id) {
    if (id === 'sub_ended') throw subscriptionEnded()
    return new Map([
      ['sub_1', ONE],
      ['sub_2', TWO],
    ]).get(id)
  },
  pending: async () => [NEXT],
}

function receiving(secrets: SubscriptionSecrets = subscriptions) {
  const handled: string[] = []
  const rejected: (string | undefined)[] = []
  const note = (kind: string) => (delivery: { readonly id: string }) => {
    handled.push(`${kind} ${delivery.id}`)
  }
  const handle = webhookHandler(
    secrets,
    { gap: note('gap'), terminated: note('terminated'), any: note('event') },
    {
      scheme: mcpEvents,
      store: memoryStore(),
      now,
      onRejected: ({ reason }: Rejection) => void rejected.push(reason),
    },
  )
  return { handle, handled, rejected }
}

describe('of the rules of the specification, the receiver keeps', () => {
  const id = 'msg_verification_1'
  test.each<[string, Request, number, string[], string?]>([
    ['an event runs', request(EVENT), 204, ['event evt_1']],
    ['its key is the eventId', request(EVENT, { id: 'msg_9' }), 204, ['event evt_1']],
    ['a header of the message is its id', request({ type: 'gap' }, { id: 'm' }), 204, ['gap m']],
    ['gap is no event', request({ type: 'gap', cursor: 'c' }), 204, ['gap evt_1']],
    ['terminated is none', request({ type: 'terminated' }), 204, ['terminated evt_1']],
    ['an own secret', request(EVENT, { subscription: 'sub_2' }), 401, [], 'signature_mismatch'],
    [
      'one of two secrets',
      request(EVENT, { subscription: 'sub_2', secrets: [ONE, TWO] }),
      204,
      ['event evt_1'],
    ],
    ['5 minutes', request(EVENT, { time: NOW - 301 }), 401, [], 'timestamp_too_old'],
    ['503 at first', request(EVENT, { subscription: 'new' }), 503, [], 'subscription_unknown'],
    [
      '410 at the end',
      request(EVENT, { subscription: 'sub_ended' }),
      410,
      [],
      'subscription_ended',
    ],
    ['an unsigned check is none', request(CHALLENGE, { secrets: [TWO] }), 401, []],
    ['its subscription', request(EVENT, { subscription: '' }), 401, [], 'signature_missing'],
    ['no space in it', request(EVENT, { subscription: 'a b' }), 401, [], 'signature_malformed'],
    ['512 characters', request(EVENT, { subscription: 'x'.repeat(513) }), 401, []],
  ])('%s', async (_rule, sent, status, handled, reason) => {
    const { handle, ...seen } = receiving()
    expect((await handle(sent)).status).toBe(status)
    expect(seen.handled).toEqual(handled)
    if (reason) expect(seen.rejected).toEqual([reason])
  })

  test.each([
    ['of a subscription that is not known', { subscription: 'new', secrets: [NEXT] }],
    ['of one that has ended, and begins again', { subscription: 'sub_ended', secrets: [NEXT] }],
  ])('the check of the endpoint %s gets its challenge back', async (_, sent) => {
    const { handle, handled } = receiving()
    const response = await handle(request(CHALLENGE, { id, ...sent }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ challenge: CHALLENGE.challenge })
    expect(handled).toEqual([])
  })
})

test('two subscriptions each get an event, and a retry with a new signature runs nothing', async () => {
  const { handle, handled } = receiving()
  const of = (subscription: string, secret: string, time = NOW) =>
    handle(request(EVENT, { subscription, secrets: [secret], time }))
  const responses = [
    await of('sub_1', ONE),
    await of('sub_2', TWO),
    await of('sub_1', ONE, NOW + 60),
    await of('sub_2', TWO, NOW + 60),
  ]
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect(handled).toEqual(['event evt_1', 'event evt_1'])
})

test.each([
  ['sub_1', undefined, 'mcp-events:sub_1'],
  ['a/b', undefined, /^mcp-events:sha256\.[\da-f]{56}$/],
  ['x'.repeat(201), undefined, /^mcp-events:sha256\.[\da-f]{56}$/],
  [`sha256.${'0'.repeat(56)}`, undefined, /^mcp-events:sha256\.(?!0{56})[\da-f]{56}$/],
  ['sub_1', () => 'acme', /^mcp-events:sha256\.[\da-f]{56}$/],
])('the endpoint of the subscription %s holds it', async (subscription, endpoint, expected) => {
  const receiver = createReceiver(
    { secretsOf: () => ONE },
    { scheme: mcpEvents, now, ...(endpoint && { endpoint }) },
  )
  const { verification } = await receiver.receiveRequest(request(EVENT, { subscription }))
  expect(verification.endpoint).toMatch(expected)
  expect(verification.key).toBe('evt_1')
})

test('one secret for all is a TypeError, since the header would not be signed by it', () => {
  for (const secret of [ONE, { a: ONE }, () => ONE]) {
    expect(() => createReceiver(secret, { scheme: mcpEvents })).toThrow(
      /^Pass \{ secretsOf \} instead of a secret: mcp-events signs each subscription with its own\./,
    )
  }
  expect(() => createReceiver({ secretsOf: () => ONE }, { scheme: standardWebhooks })).toThrow(
    'Pass a secret instead of { secretsOf }: the requests of standard-webhooks name no subscription.',
  )
})

test.each<[string, SubscriptionSecrets, Sent]>([
  ['secretsOf throws', { secretsOf: () => Promise.reject(new Error('away')) }, {}],
  ['it returns something else', { secretsOf: () => 7 as never }, {}],
  [
    'pending throws',
    { ...subscriptions, pending: () => Promise.reject(new Error('away')) },
    { subscription: 'new' },
  ],
  [
    'pending returns more than 100',
    { ...subscriptions, pending: () => Array<string>(101).fill(NEXT) },
    { subscription: 'new', secrets: [NEXT] },
  ],
])('%s: 503, and nothing runs', async (_, secrets, sent) => {
  const { handle, handled, rejected } = receiving(secrets)
  expect((await handle(request(CHALLENGE, sent))).status).toBe(503)
  expect(handled).toEqual([])
  expect(rejected).toEqual(['secret_unavailable'])
})

test('the functions get the request', async () => {
  const seen: unknown[] = []
  const handle = webhookHandler(
    {
      secretsOf: (_id, given: Request) => void seen.push(given),
      pending: (given: Request) => {
        seen.push(given)
        return []
      },
    },
    () => undefined,
    { scheme: mcpEvents, now, onRejected: false },
  )
  const sent = request(EVENT, { subscription: 'new' })
  expect((await handle(sent)).status).toBe(503)
  expect(seen).toEqual([sent, sent])
})

test('a signer sends events, and controls without an id in their body', async () => {
  const parts = { id: 'one', event: 'gap', time: now(), url: '' }
  const bytes = mcpEvents.compose?.({ cursor: 'c' }, parts)
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ cursor: 'c', type: 'gap' })
  const event = mcpEvents.compose?.({ data: {} }, { ...parts, event: 'a.b' })
  expect(JSON.parse(new TextDecoder().decode(event))).toEqual({
    eventId: 'one',
    name: 'a.b',
    data: {},
  })
})

describe('standardWebhooks', () => {
  const handler = vi.fn()
  const handle = webhookHandler(ONE, handler, { scheme: standardWebhooks, now, onRejected: false })
  const id = 'msg_verification_1'

  test('responds to the check of an MCP server', async () => {
    const response = await handle(request(CHALLENGE, { id }))
    expect([response.status, await response.json()]).toEqual([200, { challenge: 'nonce-1_2' }])
    expect(handler).not.toHaveBeenCalled()
  })

  test.each<[string, object, string]>([
    ['another id', CHALLENGE, 'msg_1'],
    ['another property', { ...CHALLENGE, data: {} }, id],
  ])('passes on what has %s', async (_, body, webhookId) => {
    handler.mockClear()
    expect((await handle(request(body, { id: webhookId }))).status).toBe(204)
    expect(handler).toHaveBeenCalledOnce()
  })
})

test('a signed delivery names the subscription that is its instance', async () => {
  const signing = { scheme: mcpEvents, instanceId: 'sub_9', now }
  const { headers, body } = await signDelivery(ONE, 'incident.created', signing)
  expect(headers).toMatchObject({ 'x-mcp-subscription-id': 'sub_9' })
  const receiver = createReceiver(
    { secretsOf: (id) => (id === 'sub_9' ? ONE : undefined) },
    { scheme: mcpEvents, now },
  )
  const sent = requestOf({ headers, body })
  expect(await receiver.receiveRequest(sent)).toMatchObject({
    delivery: { event: 'incident.created' },
    verification: { endpoint: 'mcp-events:sub_9' },
  })
})
