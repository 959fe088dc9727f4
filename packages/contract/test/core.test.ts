import { createReceiver, EVENTS, WebhookError } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { describe, expect, test } from 'vitest'
import { document, validator } from './validators.ts'

const SECRET = 'whsec_contract'
const receiver = createReceiver(SECRET, { onRejected: false })
const isDelivery = validator('delivery')
const isEnvelope = validator('envelope')

/** The reason why a receiver rejects a body, or undefined. */
async function reasonOf(body: unknown): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  try {
    const signed = await signDelivery(SECRET, bytes)
    await receiver.receiveRequest(new Request('http://localhost', { method: 'POST', ...signed }))
    return undefined
  } catch (error) {
    if (error instanceof WebhookError) return error.reason
    throw error
  }
}

const VALUES = [undefined, null, '', 'x', 0, false, [], ['x'], {}, { event: 'x' }]
const PATHS = [
  [],
  ...['id', 'event', 'created_at', 'data', 'more'].map((name) => [name]),
  ...['instance_id', 'event', 'data', 'timestamp', 'more'].map((name) => ['data', name]),
]

/** A copy with another value at a path; `undefined` takes the member away. */
function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value ?? null
  const members = Object(body)
  return { ...members, [name]: replaced(members[name], rest, value) ?? value }
}

describe.each([...EVENTS, 'message.reacted'])('%s', (event) => {
  const valid = sampleDelivery(event)
  const bodies = PATHS.flatMap((path) => VALUES.map((value) => replaced(valid, path, value)))

  test('the schemas accept a valid body', async () => {
    expect(await reasonOf(valid)).toBe(undefined)
    expect([isDelivery(valid), isEnvelope(valid)]).toEqual([true, true])
    const others = EVENTS.filter((other) => validator(other)(valid))
    expect(others).toEqual(EVENTS.filter((other) => other === event))
    expect(validator('unknown-event')(valid)).toBe(event === 'message.reacted')
  })

  test('delivery.json accepts what a receiver accepts, and rejects what it rejects', async () => {
    const differing = []
    let rejected = 0
    for (const body of bodies) {
      const reason = await reasonOf(body)
      expect([undefined, 'envelope_invalid']).toContain(reason)
      if (reason !== undefined) rejected++
      if (isDelivery(body) !== (reason === undefined)) differing.push(body)
    }
    expect(rejected).toBeGreaterThan(60)
    // JSON Schema cannot compare two members: both names are those of unknown events.
    const known = EVENTS.some((name) => name === event)
    const possible = known
      ? []
      : [replaced(valid, ['event'], 'x'), replaced(valid, ['data', 'event'], 'x')]
    expect(differing).toEqual(possible)
  })

  test('envelope.json differs from that only where the two names of the event differ', async () => {
    for (const body of bodies) {
      if (isEnvelope(body) === ((await reasonOf(body)) === undefined)) continue
      expect(body).toMatchObject({ event: expect.any(String), data: { event: expect.any(String) } })
      expect(body).not.toMatchObject({ event, data: { event } })
    }
  })
})

test('a receiver accepts as many containers inside one another as the documents say', async () => {
  const nested = (depth: number) => ({
    ...sampleDelivery('message.received'),
    more: JSON.parse('['.repeat(depth - 1) + ']'.repeat(depth - 1)),
  })
  const { description } = document('openapi.json').info
  const depth = Number(/at most (\d+) objects and arrays inside/.exec(description)?.[1])
  expect(await reasonOf(nested(depth))).toBe(undefined)
  expect(await reasonOf(nested(depth + 1))).toBe('body_too_deep')
  expect(isDelivery(nested(depth + 1))).toBe(true)
})
