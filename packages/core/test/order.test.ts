import { expect, test } from 'vitest'
import { createReceiver, type Reason, WebhookError } from '../src/index.ts'
import {
  type Changes,
  current,
  type DeliveryName,
  expectRejection,
  incoming,
  NOW,
} from './deliveries.ts'

interface Fault extends Changes {
  readonly reason: Reason
  readonly status: number
  readonly secret?: () => string
  readonly name?: DeliveryName
  readonly clock?: number
}

const wrongKey = 'whsec_another'

/** One request fault for each check, in the order in which the checks have to run. */
const faults: readonly Fault[] = [
  { status: 405, reason: 'method_not_allowed', method: 'GET' },
  { status: 401, reason: 'signature_missing', headers: { 'x-webhook-signature': undefined } },
  { status: 401, reason: 'timestamp_missing', headers: { 'x-webhook-timestamp': undefined } },
  { status: 415, reason: 'encoding_not_supported', headers: { 'content-encoding': 'gzip' } },
  { status: 413, reason: 'body_too_large', headers: { 'content-length': '1048577' } },
  {
    status: 503,
    reason: 'secret_unavailable',
    secret: () => {
      throw new Error('no such tenant')
    },
  },
  {
    status: 400,
    reason: 'body_incomplete',
    readBody: () => {
      throw new WebhookError('body_incomplete', 'The sender stopped.')
    },
  },
  { status: 401, reason: 'signature_mismatch', secret: () => wrongKey },
  { status: 401, reason: 'timestamp_too_old', clock: NOW + 301_000 },
  { status: 400, reason: 'body_not_utf8', name: 'not utf-8' },
]

const pairs = faults.flatMap((first, index) =>
  faults.slice(index + 1).map((second) => ({ first, second })),
)

// Two faults in one place cannot both be there.
const possible = pairs.filter(({ first, second }) => !(first.secret && second.secret))

test.each(possible)(
  'tells $first.reason before $second.reason',
  async ({ first: { status, reason, ...first }, second }) => {
    const both = {
      ...second,
      ...first,
      headers: { ...second.headers, ...first.headers },
    }
    const receiver = createReceiver<Request>(both.secret ?? current.secret, {
      now: () => both.clock ?? NOW,
      onRejected: false,
    })
    await expectRejection(
      receiver.receive(incoming(both.name ?? 'message.received', both)),
      status,
      reason,
    )
  },
)

test('is accepted without any of these faults', async () => {
  const receiver = createReceiver(current.secret, { now: () => NOW })
  expect(possible).toHaveLength(44)
  expect((await receiver.receive(incoming('message.received'))).delivery.known).toBe(true)
})

test('reports bytes that are not UTF-8 before JSON errors, and syntax before depth', async () => {
  const { parseJson } = await import('../src/parse/json.ts')
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  await expectRejection(() => parseJson(bytes(`${'['.repeat(65)}\xff`)), 400, 'body_not_utf8')
  await expectRejection(() => parseJson(bytes('['.repeat(65))), 400, 'body_not_json')
})
