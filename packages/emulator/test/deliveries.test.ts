import { EVENTS } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { github, mcpEvents } from '@webhook-receiver/schemes'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEmulator } from '../src/index.ts'
import { type Arrival, type Reply, receiveRaw } from './raw-receiver.ts'
import { emulating, isSigned, secretFor } from './running-emulator.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NOON = Date.UTC(2026, 2, 4, 12, 0, 0, 250)

/** Gives the requests these replies, one after the other, and then 204. */
const replying =
  (...replies: readonly Reply[]) =>
  (_arrival: Arrival, index: number) =>
    replies[index] ?? 204

describe('a delivery', () => {
  it('has the headers and the body of the contract, signed over the bytes that are sent', async () => {
    const reply = () => ({ status: 200, body: 'thanks' })
    const { receiver, emulator, secret } = await emulating({ now: () => NOON }, reply)
    const [event, data] = ['message.received', { text: 'Grüße 👋' }] as const
    const reports = await emulator.emit(event, data, { instanceId: 'i-7' })
    const [{ headers, body } = receiver.arrivals[0] as Arrival] = receiver.arrivals
    expect(isSigned({ headers, body } as Arrival, secret)).toBe(true)
    const { id, ...content } = JSON.parse(body.toString())
    const timestamp = '1772625600'
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-webhook-id': id,
      'x-webhook-timestamp': timestamp,
    })
    expect(content).toEqual({
      event,
      created_at: expect.stringMatching(ISO),
      data: { instance_id: 'i-7', event, data, timestamp: '2026-03-04T12:00:00.250Z' },
    })
    const response = { status: 200, responseBody: 'thanks', error: undefined }
    const attempts = [{ number: 1, at: NOON, timestamp, ...response }]
    const outcome = { fault: undefined, outcome: 'delivered', attempts }
    expect(reports).toMatchObject([
      { id, event, instanceId: 'i-7', url: receiver.url, createdAt: NOON, ...outcome },
    ])
    expect(reports[0]?.attempts[0]?.duration).toBeGreaterThan(0)
    expect(emulator.deliveries()).toEqual(reports)
  })

  it('goes to every webhook that listens to the event, with an id and a secret of its own', async () => {
    const { emulator, receiver, secret } = await emulating()
    const [other, deaf] = [await receiveRaw(), await receiveRaw()]
    const otherSecret = secretFor(emulator, other.url)
    emulator.register({ url: deaf.url, events: ['message.read'] })
    const reports = await emulator.emit('instance.connected')
    expect(new Set(reports.map(({ id }) => id)).size).toBe(2)
    expect(isSigned(receiver.arrivals[0] as Arrival, secret)).toBe(true)
    expect(isSigned(other.arrivals[0] as Arrival, otherSecret)).toBe(true)
    expect(deaf.arrivals).toEqual([])
  })

  it.each([
    ['unix-seconds', /^\d{10}$/],
    ['unix-milliseconds', /^\d{13}$/],
    ['rfc3339', ISO],
    ['http-date', /^[A-Z][a-z]{2}, \d\d .* GMT$/],
  ] as const)('is accepted by a real receiver with a timestamp in %s', async (form, shape) => {
    const now = () => Date.now() + 0.5
    const { receiver, emulator, secret } = await emulating({ timestampForm: form, now })
    receiver.server.removeAllListeners('request')
    const handled: string[] = []
    const handler = webhookHandler(secret, ({ event }, { verification }) => {
      handled.push(event)
      expect(verification.timestamp).toMatch(shape)
    })
    receiver.server.on('request', handler)
    const reports = await Promise.all(EVENTS.map((event) => emulator.emit(event)))
    expect(new Set(reports.flat().map(({ outcome }) => outcome))).toEqual(new Set(['delivered']))
    expect(handled.sort()).toEqual([...EVENTS].sort())
  })
})

describe('retries', () => {
  it('follow the schedule until a 2xx, with the same id and body and a signature of their own', async () => {
    let now = NOON
    const { receiver, emulator, secret } = await emulating(
      { retries: [0, 0, 0, 0, 0], now: () => (now += 1000) },
      replying(500, 'reset', 302, 401, 202),
    )
    const [report] = await emulator.emit('message.sent', { n: 1 })
    expect(report?.outcome).toBe('delivered')
    expect(report?.attempts.map(({ status }) => status)).toEqual([500, undefined, 302, 401, 202])
    expect(report?.attempts[1]?.error).toMatch(/hang up|ECONNRESET/)
    expect(receiver.arrivals.map((arrival) => isSigned(arrival, secret))).not.toContain(false)
    expect(new Set(receiver.arrivals.map(({ body }) => body.toString())).size).toBe(1)
    expect(new Set(report?.attempts.map(({ timestamp }) => timestamp)).size).toBe(5)
  })

  it.each([
    ['end when the schedule does', 500, 'exhausted', 3],
    ['are not made after 410', 410, 'rejected', 1],
  ])('%s', async (_, status, outcome, attempts) => {
    const { emulator } = await emulating({ retries: [0, 0] }, () => status)
    const [report] = await emulator.emit('message.failed')
    expect([report?.outcome, report?.attempts.length]).toEqual([outcome, attempts])
  })

  it('and deliveries end with the first 410, for this webhook alone', async () => {
    const { receiver, emulator } = await emulating({ retries: [3600] }, replying(500, 410))
    const other = await receiveRaw()
    emulator.register({ url: other.url, events: ['message.sent'] })
    const retried = emulator.emit('message.read')
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(1), { timeout: 120_000 })
    const outcomesOf = async () =>
      (await emulator.emit('message.sent')).map(({ outcome }) => outcome)
    expect(await outcomesOf()).toEqual(['rejected', 'delivered'])
    expect(await retried).toMatchObject([{ outcome: 'stopped' }])
    expect(await outcomesOf()).toEqual(['delivered'])
    expect(receiver.arrivals).toHaveLength(2)
    expect(emulator.webhooks()).toMatchObject([{ url: other.url }])
  })

  it.each([
    [mcpEvents, 'rejected', 1],
    [github, 'exhausted', 2],
  ])(
    'follow 410 unless the service documents that it stops: $name',
    async (scheme, outcome, count) => {
      const receiver = await receiveRaw(() => 410)
      const emulator = createEmulator({ scheme, extraEvents: ['push'], retries: [0] })
      await emulator.start()
      onTestFinished(() => emulator.stop())
      emulator.register({ url: receiver.url, events: ['push'] })
      const [report] = await emulator.emit('push')
      expect([report?.outcome, report?.attempts.length]).toEqual([outcome, count])
    },
  )

  it('follow a timeout, an incomplete response, and a receiver that cannot be reached', async () => {
    const { receiver, emulator } = await emulating({ timeout: 2 }, replying('nothing', 'half'))
    const attempts = [{ error: 'no response within 2 s' }, { status: undefined }, { status: 204 }]
    expect(await emulator.emit('message.sent')).toMatchObject([{ outcome: 'delivered', attempts }])
    await new Promise((resolve) => {
      receiver.server.close(resolve)
      receiver.server.closeAllConnections()
    })
    const [report] = await emulator.emit('message.sent')
    expect(report?.outcome).toBe('exhausted')
    expect(report?.attempts[0]?.error).toContain('ECONNREFUSED')
  })
})

it('tells what happens at once: each attempt, then the outcome', async () => {
  const { emulator } = await emulating({}, replying(500))
  const noticed: unknown[] = []
  const silence = emulator.on('attempt', ({ status }, { outcome, attempts }) =>
    noticed.push(status, outcome, attempts.length),
  )
  emulator.on('delivery', ({ outcome }) => noticed.push(outcome))
  await emulator.emit('message.read')
  expect(noticed.splice(0)).toEqual([500, 'pending', 1, 204, 'pending', 2, 'delivered'])
  silence()
  await emulator.emit('message.read')
  expect(noticed).toEqual(['delivered'])
})
