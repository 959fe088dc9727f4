import { describe, expect, test, vi } from 'vitest'
import { sampleDelivery, signDelivery, signedRequest } from '../../src/testing/index.ts'
import known from '../expected/samples.json' with { type: 'json' }

const { secret, id } = known
const now = () => known.now
const events = Object.entries(known.events)
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describe.each(events)('%s', (event, { body, signature }) => {
  const headers = {
    'Content-Type': 'application/json',
    'X-Webhook-Id': id,
    'X-Webhook-Timestamp': known.timestamp,
    'X-Webhook-Signature': signature,
  }

  test('is signed as the expected signature is: by its name, as an object and as bytes', async () => {
    vi.spyOn(crypto, 'randomUUID').mockReturnValue('7d444840-9dc0-41d1-b245-5ffdce74fad2')
    const [sample, bytes] = [sampleDelivery(event, { now, id }), Buffer.from(body)]
    for (const delivery of [event, sample, bytes]) {
      const signed = await signDelivery(secret, delivery, { now, webhookId: id })
      expect(signed).toEqual({ headers, body: Uint8Array.from(bytes) })
    }
  })
})

describe('signDelivery', () => {
  test('signs any bytes as they are, without an X-Webhook-Id', async () => {
    const raw = Buffer.from(known.bytes.hex, 'hex')
    // The clock is rounded down to seconds.
    const { headers, body } = await signDelivery(secret, raw, { now: () => known.now + 999 })
    expect(headers).toStrictEqual({
      'Content-Type': 'application/json',
      'X-Webhook-Timestamp': known.timestamp,
      'X-Webhook-Signature': known.bytes.signature,
    })
    expect(body).toEqual(Uint8Array.from(raw))
    raw.fill(0)
    expect(text(body), 'has bytes of its own').not.toBe(text(raw))
  })

  test('takes X-Webhook-Id from the option, then from the body, where that has a string', async () => {
    const id = async (delivery: object, webhookId?: string) =>
      (await signDelivery(secret, delivery, { webhookId })).headers['X-Webhook-Id']
    expect([await id({ id: 'a' }, 'b'), await id({ id: 'a' })]).toEqual(['b', 'a'])
    for (const delivery of [{ id: 1 }, {}, []]) expect(await id(delivery)).toBeUndefined()
  })

  test.each(['', undefined, ['whsec_a']])('rejects the secret %j: TypeError', async (wrong) => {
    const signing = Reflect.apply(signDelivery, undefined, [wrong, 'message.read'])
    await expect(signing).rejects.toThrow(TypeError)
    await expect(signing).rejects.toThrow('should be a string that is not empty')
  })
})

describe('signedRequest', () => {
  test('is a POST to a URL of its own or the one given', async () => {
    const request = await signedRequest('message.read', {}, { secret })
    expect([request.method, request.url]).toEqual(['POST', 'http://localhost/webhooks'])
    const at = { publicUrl: 'https://example.com', path: '/hooks?x=1' }
    const { url } = await signedRequest('message.read', {}, { secret, ...at })
    expect(url).toBe('https://example.com/hooks?x=1')
  })
})

describe('sampleDelivery', () => {
  const sample = sampleDelivery('message.received')

  test('has a number that JavaScript would round, as text', () => {
    const { message_id } = sample.data.data
    expect(message_id).toBeTypeOf('string')
    expect(String(Number(message_id)), 'is no number that JavaScript has').not.toBe(message_id)
  })

  test('has an id of its own each time, and the time of the clock', () => {
    expect(sample.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(sampleDelivery('message.received').id).not.toBe(sample.id)
    const { created_at, data } = sampleDelivery('message.read', { now })
    expect([created_at, data.timestamp]).toEqual(Array(2).fill('2025-10-09T08:53:20.000Z'))
  })

  test.each(['constructor', '__proto__'])('has no content for the event %s', (event) => {
    expect(sampleDelivery(event).data.data).toEqual({})
    expect(Object.keys(sampleDelivery(event).data.data)).toEqual([])
  })
})
