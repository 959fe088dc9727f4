import { createReceiver, parseStoredDelivery } from '@webhook-receiver/core'
import { sampleDelivery, signedRequest } from '@webhook-receiver/core/testing'
import { bodyScheme as scheme } from '@webhook-receiver/suites'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const parse = (json: unknown, options?: unknown) =>
  Reflect.apply(parseStoredDelivery, undefined, [json, options])

const sample = (changes = {}) => ({ ...sampleDelivery('message.received'), ...changes })

describe('parseStoredDelivery', () => {
  const data = { text: 'ü \u0000 👋 \ud800 \u2028', n: [1.5, null, { deep: true }] }

  test.each([
    ['text', (value: unknown) => JSON.stringify(value)],
    ['bytes', (value: unknown) => Buffer.from(JSON.stringify(value))],
    ['what a client has parsed', (value: unknown) => JSON.parse(JSON.stringify(value))],
  ])('gives back what a receiver accepted, from %s', async (_, store) => {
    const receiver = createReceiver('whsec_test')
    const request = await signedRequest('message.received', data, { secret: 'whsec_test' })
    const { delivery, verification } = await receiver.receiveRequest(request)
    expect(parseStoredDelivery(store(delivery))).toEqual(delivery)
    // The bytes that were signed do as well.
    expect(parseStoredDelivery(verification.rawBody)).toEqual(delivery)
  })

  test.each([
    ['message.received', {}, undefined],
    ['message.received', {}, 0],
    ['push', { scheme }, undefined],
    ['push', { scheme }, 0],
    // However much deeper it is than a body may be.
    ['message.received', {}, JSON.parse(nested(100))],
  ])(
    'gives back what a schema has made of the body of any service: of %s %j',
    async (event, given, made) => {
      const secret = 'whsec_test'
      const schemas = { [event]: z.object({}).transform(() => made) }
      const options = { ...given, schemas } as object
      const receiver = createReceiver(secret, { ...options, onRejected: false })
      const request = await signedRequest(event, {}, { ...given, secret })
      const { delivery } = await receiver.receiveRequest(request)
      expect(parse(JSON.stringify(delivery), options)).toEqual(delivery)
    },
  )

  test('checks again whether the event is known', () => {
    const reacted = sampleDelivery('message.reacted')
    expect(parse({ ...reacted, known: true }).known).toBe(false)
    expect(parse(reacted, { extraEvents: ['message.reacted'] }).known).toBe(true)
    expect(parse(sample({ known: false })).known).toBe(true)
  })

  test('does not run a schema on its own output, which may be any JSON', () => {
    const validate = vi.fn()
    const length = z.object({ text: z.string() }).transform(({ text }) => text.length)
    const schemas = {
      'message.received': { ...length, '~standard': { ...length['~standard'], validate } },
    }
    const stored = sampleDelivery('message.received')
    const delivery = { ...stored, data: { ...stored.data, data: 5 } }
    expect(parse(delivery, { schemas }).data.data).toBe(5)
    expect(validate).not.toHaveBeenCalled()
    expect(() => parse(delivery)).toThrow('"data.data" should be an object, and is a number')
  })

  test('shares nothing with what it was given', () => {
    const stored = sample()
    expect(parse(stored).data.data).not.toBe(stored.data.data)
  })

  test('drops properties named __proto__', () => {
    const text = JSON.stringify(sample()).replace('{', '{"__proto__":{"admin":true},')
    for (const json of [text, JSON.parse(text)]) {
      expect(Object.hasOwn(parse(json), '__proto__')).toBe(false)
      expect(parse(json).admin).toBeUndefined()
    }
  })

  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic

  test.each([
    ['undefined', undefined, 'it is missing'],
    ['no JSON', '{"secret canary', 'the body is not JSON (15 characters)'],
    ['no UTF-8', Uint8Array.of(0xff), 'the body is not UTF-8'],
    ['a cycle', cyclic, 'it cannot be written as JSON'],
    ['far too deep', nested(1e6), 'more than 512 objects and arrays are nested in each other'],
    [
      'JSON twice',
      JSON.stringify(JSON.stringify(sample())),
      'the body should be an object, and is a string',
    ],
    ['no id', sample({ id: undefined }), '"id" should be a non-empty string, and is missing'],
  ])('rejects %s', (_, json, fault) => {
    const rejected = () => parseStoredDelivery(json)
    expect(rejected).toThrow(new TypeError(`The stored data is not a delivery: ${fault}.`))
    expect(rejected).not.toThrow('canary')
  })

  test('rejects an event that cannot be made a name, also where there are schemas', () => {
    const schemas = { 'message.received': z.object({}) }
    for (const event of [['message.received'], { toString: 1, valueOf: 1 }, 5]) {
      const rejected = () => parse(sample({ event }), { schemas })
      expect(rejected).toThrow(
        'The stored data is not a delivery: "event" should be a non-empty string',
      )
    }
  })

  test('rejects invalid options', () => {
    expect(() => parse(sample(), 'message.reacted')).toThrow(
      "The options should be an object, such as { extraEvents: ['message.reacted'] }; got",
    )
    expect(() => parse(sample(), { tolerance: 1 })).toThrow(TypeError)
    expect(() => parse(sample(), { schemas: { 'message.reacted': z.object() } })).toThrow(
      '`schemas` has a key "message.reacted"',
    )
  })
})
