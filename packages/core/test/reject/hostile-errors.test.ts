import { format, inspect } from 'node:util'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createDeliveryHandler, memoryStore } from '../../src/index.ts'
import { expectRejection, incoming, receiverWith, schemasOf } from '../deliveries.ts'
import { failOnUnhandled } from '../handling/stores.ts'

function fail(): never {
  throw new Error('looked at')
}

/** What an application may throw, and what throws when it is looked at. */
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: fail })],
  ['an object whose inspection throws', { [inspect.custom]: fail, toString: fail }],
  ['a Proxy whose traps throw', new Proxy(new Error('x'), { get: fail, getPrototypeOf: fail })],
]

// It would end the process.
failOnUnhandled()

const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  // As the console does it.
  vi.spyOn(console, 'error').mockImplementation((...args) => void lines.push(format(...args)))
})

describe.each(HOSTILE)('%s', (_name, thrown) => {
  const hook = () => {
    throw thrown
  }
  const reported = (name: string) => [
    expect.stringMatching(
      new RegExp(`^\\[webhook-receiver\\] ${name} threw an error. The response does not`),
    ),
  ]

  test('that a hook of the receiver throws changes no response and ends nothing', async () => {
    const accepting = receiverWith({ onAccepted: hook })
    expect((await accepting.receive(incoming('message.read'))).delivery.known).toBe(true)
    await expect.poll(() => lines).toEqual(reported('onAccepted'))
    lines.length = 0
    const keeping = receiverWith({ onUnprocessable: hook })
    await expectRejection(keeping.receive(incoming('array')), 400, 'envelope_invalid')
    expect(lines).toEqual(reported('onUnprocessable'))
    lines.length = 0
    const rejecting = receiverWith({ onRejected: async () => hook() })
    await expectRejection(rejecting.receive(incoming('array')), 400, 'envelope_invalid')
    await expect.poll(() => lines).toEqual(reported('onRejected'))
  })

  test('that a handler throws, or its hook, leaves the error as it is and ends nothing', async () => {
    const handle = createDeliveryHandler({ any: hook }, { store: memoryStore(), onHandling: hook })
    const { delivery } = await receiverWith().receive(incoming('message.read'))
    expect(await handle(delivery).catch((error) => error === thrown)).toBe(true)
    await expect.poll(() => lines).toEqual([...reported('onHandling'), ...reported('onHandling')])
  })

  test('that a secret function or a schema throws is a WebhookError', async () => {
    const cause = (error: unknown) => Reflect.get(Object(error), 'cause') === thrown
    const unavailable = receiverWith({}, hook).receive(incoming('message.received'))
    expect(cause(await expectRejection(unavailable, 503, 'secret_unavailable'))).toBe(true)
    const received = receiverWith({ schemas: schemasOf(hook) }).receive(
      incoming('message.received'),
    )
    expect(cause(await expectRejection(received, 500, 'schema_failed'))).toBe(true)
  })
})

const unreadable = new Proxy({}, { get: fail, has: fail })

test.each([
  ['issues', { issues: [unreadable] }, 'schema_mismatch', /^The reason is schema_mismatch\. /],
  ['a result', unreadable, 'schema_failed', /"message\.received"/],
] as const)('%s that cannot be looked at: a WebhookError', async (_, result, reason, says) => {
  const receiver = receiverWith({ schemas: schemasOf(() => result) })
  const attempt = receiver.receive(incoming('message.received'))
  const { detail } = await expectRejection(attempt, 500, reason)
  expect(detail).toMatch(says)
})
