import { createServer } from 'node:http'
import { EVENTS } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { describe, expect, it } from 'vitest'
import type { Attempt, DeliveryReport } from '../src/index.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, idOf, isSigned, secretFor } from './running-emulator.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NOON = Date.UTC(2026, 2, 4, 12, 0, 0, 250)

describe('a delivery', () => {
  it('has the headers and the body of the contract, signed over the bytes that are sent', async () => {
    const receiver = await receiveRaw(() => ({ status: 200, body: 'thanks' }))
    const emulator = await emulate({ now: () => NOON })
    const secret = secretFor(emulator, receiver.url)
    const data = { text: 'Grüße 👋' }
    const [report, ...others] = await emulator.emit('message.received', data, { instanceId: 'i-7' })
    expect(others).toEqual([])
    const [arrival] = receiver.arrivals
    if (!arrival || !report) throw new Error('nothing arrived')
    expect(isSigned(arrival, secret)).toBe(true)
    expect(isSigned(arrival, `${secret}x`)).toBe(false)
    expect(arrival.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(arrival.body.length),
      'x-webhook-id': report.id,
      'x-webhook-timestamp': '1772625600',
    })
    expect(JSON.parse(arrival.body.toString())).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      event: 'message.received',
      created_at: expect.stringMatching(ISO),
      data: {
        instance_id: 'i-7',
        event: 'message.received',
        data,
        timestamp: '2026-03-04T12:00:00.250Z',
      },
    })
    expect(report).toMatchObject({
      event: 'message.received',
      instanceId: 'i-7',
      url: receiver.url,
      createdAt: NOON,
      fault: undefined,
      outcome: 'delivered',
      attempts: [
        {
          number: 1,
          at: NOON,
          status: 200,
          responseBody: 'thanks',
          error: undefined,
          timestamp: '1772625600',
        },
      ],
    })
    expect(report.attempts[0]?.duration).toBeGreaterThan(0)
    expect(emulator.deliveries()).toEqual([report])
  })

  it('goes to every webhook that listens to the event, with an id and a secret of its own', async () => {
    const [one, other, deaf] = [await receiveRaw(), await receiveRaw(), await receiveRaw()]
    const emulator = await emulate()
    const secrets = [one, other].map(({ url }) => secretFor(emulator, url))
    emulator.register({ url: deaf.url, events: ['message.read'] })
    const reports = await emulator.emit('instance.connected')
    expect(reports.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
    expect(new Set(reports.map(({ id }) => id)).size).toBe(2)
    for (const [index, receiver] of [one, other].entries()) {
      const [arrival] = receiver.arrivals
      expect(arrival && isSigned(arrival, secrets[index] ?? '')).toBe(true)
    }
    expect(deaf.arrivals).toEqual([])
  })

  it.each([
    ['unix-seconds', /^\d{10}$/],
    ['unix-milliseconds', /^\d{13}$/],
    ['rfc3339', ISO],
    ['http-date', /^[A-Z][a-z]{2}, \d\d .* GMT$/],
  ] as const)('is accepted by a real receiver with a timestamp in %s', async (form, shape) => {
    const emulator = await emulate({ timestampForm: form, now: () => Date.now() + 0.5 })
    const handled: string[] = []
    const server = createServer((req, res) => listener(req, res))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const secret = secretFor(emulator, `http://127.0.0.1:${port}/`)
    const listener = webhookHandler(secret, ({ event }, { verification }) => {
      handled.push(event)
      expect(verification.timestamp).toMatch(shape)
    })
    const reports = await Promise.all(EVENTS.map((event) => emulator.emit(event)))
    server.close()
    expect(reports.flat().map(({ outcome }) => outcome)).toEqual(EVENTS.map(() => 'delivered'))
    expect(handled.sort()).toEqual([...EVENTS].sort())
  })
})

describe('retries', () => {
  it('follow the schedule until a 2xx, with the same id and body and a signature of their own', async () => {
    const replies = [500, 'reset', 302, 401, 202] as const
    const receiver = await receiveRaw((_arrival, index) => replies[index] ?? 204)
    let now = NOON
    const emulator = await emulate({ retries: [0, 0, 0, 0, 0], now: () => (now += 1000) })
    const secret = secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', { n: 1 })
    expect(report?.outcome).toBe('delivered')
    expect(report?.attempts.map(({ status }) => status)).toEqual([500, undefined, 302, 401, 202])
    expect(report?.attempts[1]?.error).toMatch(/hang up|ECONNRESET/)
    expect(receiver.arrivals.map((arrival) => isSigned(arrival, secret))).not.toContain(false)
    expect(new Set(receiver.arrivals.map(idOf)).size).toBe(1)
    expect(new Set(receiver.arrivals.map(({ body }) => body.toString())).size).toBe(1)
    expect(new Set(report?.attempts.map(({ timestamp }) => timestamp)).size).toBe(5)
  })

  it.each([
    ['end when the schedule does', 500, 'exhausted', 3],
    ['are not made after 410', 410, 'rejected', 1],
  ])('%s', async (_, status, outcome, attempts) => {
    const receiver = await receiveRaw(() => status)
    const emulator = await emulate({ retries: [0, 0] })
    secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.failed')
    expect([report?.outcome, report?.attempts.length]).toEqual([outcome, attempts])
  })

  it('follow a time-out, and a receiver that is not there', async () => {
    const receiver = await receiveRaw((_arrival, index) => (index === 0 ? 'nothing' : 204))
    const emulator = await emulate({ timeout: 2 })
    secretFor(emulator, receiver.url)
    expect(await emulator.emit('message.sent')).toMatchObject([
      { outcome: 'delivered', attempts: [{ error: 'no response within 2 s' }, { status: 204 }] },
    ])
    await new Promise((resolve) => {
      receiver.server.close(resolve)
      receiver.server.closeAllConnections()
    })
    const [report] = await emulator.emit('message.sent')
    expect(report?.outcome).toBe('exhausted')
    expect(report?.attempts[0]?.error).toContain('ECONNREFUSED')
  })

  it('follow a response that breaks off', async () => {
    const receiver = await receiveRaw((_arrival, index) => (index === 0 ? 'half' : 204))
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent')
    expect(report).toMatchObject({ outcome: 'delivered', attempts: [{ status: undefined }, {}] })
  })

  it('speak TLS to a https:// webhook', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate({ retries: [] })
    secretFor(emulator, receiver.url.replace('http:', 'https:'))
    const [report] = await emulator.emit('message.sent')
    expect(report?.outcome).toBe('exhausted')
    expect(report?.attempts[0]?.error).toMatch(/SSL|EPROTO|packet/i)
    expect(receiver.arrivals).toEqual([])
  })
})

describe('what is message', () => {
  it('comes as it happens: each attempt, then the outcome', async () => {
    const receiver = await receiveRaw((_arrival, index) => (index === 0 ? 500 : 204))
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const message: (string | number | undefined)[] = []
    const silence = emulator.on('attempt', (attempt: Attempt, delivery: DeliveryReport) =>
      message.push(attempt.status, delivery.outcome, delivery.attempts.length),
    )
    emulator.on('delivery', (delivery) => message.push(delivery.outcome))
    await emulator.emit('message.read')
    expect(message).toEqual([500, 'pending', 1, 204, 'pending', 2, 'delivered'])
    silence()
    await emulator.emit('message.read')
    expect(message.slice(7)).toEqual(['delivered'])
  })

  it('does not change afterwards, nor does what is sent change with the data', async () => {
    let changed = () => {}
    const receiver = await receiveRaw((_arrival, index) => {
      changed()
      return index === 0 ? 500 : 204
    })
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const data = { list: [1] }
    let early: readonly DeliveryReport[] = []
    changed = () => {
      early = emulator.deliveries()
      data.list.push(2)
    }
    await emulator.emit('message.read', data)
    expect(early).toMatchObject([{ outcome: 'pending' }])
    const bodies = receiver.arrivals.map(({ body }) => JSON.parse(body.toString()).data.data)
    expect(bodies).toEqual([{ list: [1] }, { list: [1] }])
  })
})
