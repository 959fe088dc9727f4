import { stripe } from '@webhook-receiver/schemes'
import { describe, expect, it, vi } from 'vitest'
import { createEmulator } from '../src/index.ts'
import { FAULTS } from '../src/internal.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, isSigned, secretFor } from './running-emulator.ts'

describe('a fault that is requested for', () => {
  it('duplicate: sends the same bytes again after the response', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', {}, { fault: 'duplicate' })
    const [first, second] = receiver.arrivals
    expect(second).toEqual(first)
    expect(receiver.mostAtOnce()).toBe(1)
    expect(report).toMatchObject({
      fault: 'duplicate',
      outcome: 'delivered',
      attempts: [{ fault: undefined }, { fault: 'duplicate', number: 2 }],
    })
  })

  it('concurrent-duplicate: has both under way at the same time', async () => {
    let both = () => {}
    const met = new Promise<void>((resolve) => {
      both = resolve
    })
    const receiver = await receiveRaw(async (_arrival, index) => {
      if (index === 1) both()
      await met
      return index === 0 ? 204 : 503
    })
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', {}, { fault: 'concurrent-duplicate' })
    expect(receiver.arrivals).toHaveLength(2)
    expect(receiver.arrivals[1]).toEqual(receiver.arrivals[0])
    expect(receiver.mostAtOnce()).toBe(2)
    expect(report?.outcome).toBe('delivered')
    expect(report?.attempts.map(({ status }) => status).sort()).toEqual([204, 503])
  })

  it('reorder: lets a later delivery pass, and not an earlier one', async () => {
    let respondFirst = () => {}
    const first = new Promise<void>((resolve) => {
      respondFirst = resolve
    })
    const receiver = await receiveRaw(async ({ body }) => {
      if (body.includes('"n":1')) await first
      return 204
    })
    const emulator = await emulate({ faultDelay: 60 })
    secretFor(emulator, receiver.url)
    const one = emulator.emit('message.sent', { n: 1 })
    const two = emulator.emit('message.sent', { n: 2 }, { fault: 'reorder' })
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(1), { timeout: 120_000 })
    respondFirst()
    await one
    expect(receiver.arrivals).toHaveLength(1)
    await emulator.emit('message.sent', { n: 3 })
    expect(await two).toMatchObject([{ outcome: 'delivered', attempts: [{ fault: 'reorder' }] }])
    const order = receiver.arrivals.map(({ body }) => JSON.parse(body.toString()).data.data.n)
    expect(order).toEqual([1, 3, 2])
  })

  it('delay: is signed first and sent later', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate({ faultDelay: 0.4, timestampForm: 'rfc3339' })
    const secret = secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', {}, { fault: 'delay' })
    const [attempt] = report?.attempts ?? []
    if (!attempt) throw new Error('no attempt')
    expect(attempt.fault).toBe('delay')
    expect(attempt.at - Date.parse(attempt.timestamp)).toBeGreaterThan(150)
    expect(receiver.arrivals.map((arrival) => isSigned(arrival, secret))).toEqual([true])
  })

  it('drop: ends the connection in the middle of the body, and tries again', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate()
    const secret = secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', {}, { fault: 'drop' })
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(2), { timeout: 120_000 })
    const dropped = receiver.arrivals.find(({ complete }) => !complete)
    const retry = receiver.arrivals.find(({ complete }) => complete)
    if (!dropped || !retry) throw new Error('not both arrived')
    expect(dropped.body.length).toBeLessThan(Number(dropped.headers['content-length']))
    expect(retry.body.subarray(0, dropped.body.length)).toEqual(dropped.body)
    expect(isSigned(retry, secret)).toBe(true)
    expect(report).toMatchObject({
      outcome: 'delivered',
      attempts: [
        { fault: 'drop', status: undefined },
        { fault: undefined, status: 204 },
      ],
    })
    expect(report?.attempts[0]?.error).toBe(
      `the connection was dropped after ${dropped.body.length} of ${retry.body.length} bytes of the body`,
    )
  })

  it('drop: tells of a receiver that is not there as what it is', async () => {
    const emulator = await emulate({ retries: [] })
    secretFor(emulator, 'http://127.0.0.1:1/')
    const [report] = await emulator.emit('message.sent', {}, { fault: 'drop' })
    expect(report?.attempts[0]?.error).toContain('ECONNREFUSED')
  })

  it('slow-body: comes in pieces, whole and signed, also past the time-out', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate({ faultDelay: 2, timeout: 1.5 })
    const secret = secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', {}, { fault: 'slow-body' })
    const [arrival] = receiver.arrivals
    expect(arrival?.pieces).toBeGreaterThan(2)
    expect(arrival && isSigned(arrival, secret)).toBe(true)
    expect(report).toMatchObject({ outcome: 'delivered', attempts: [{ fault: 'slow-body' }] })
  })
})

describe('a tampered copy goes ahead of the valid request', () => {
  const now = () => Date.UTC(2026, 0, 1)
  const seconds = now() / 1000
  const COPIES = ['tamper', 'alter', 'wrong-secret', 'stale', 'future'] as const

  it.each([...COPIES, 'message_body_alone'] as const)('%s', async (fault) => {
    const receiver = await receiveRaw((_arrival, index) => (index === 0 ? 401 : 204))
    const emulator = await emulate({ now, retries: [] })
    const secret = secretFor(emulator, receiver.url)
    const [report] = await emulator.emit('message.sent', { a: 'b' }, { fault })
    const [copy, valid] = receiver.arrivals
    if (!copy || !valid) throw new Error('not both arrived')
    expect(isSigned(valid, secret)).toBe(true)
    expect(valid.headers['x-webhook-timestamp']).toBe(String(seconds))
    expect(isSigned(copy, secret)).toBe(fault === 'stale' || fault === 'future')
    const skew = Number(copy.headers['x-webhook-timestamp']) - seconds
    expect(skew).toBe(fault === 'stale' ? -3600 : fault === 'future' ? 3600 : 0)
    const differing = copy.body.filter((byte, index) => byte !== valid.body[index])
    expect(differing).toHaveLength(fault === 'tamper' || fault === 'alter' ? 1 : 0)
    expect(copy.body).toHaveLength(valid.body.length)
    expect(report).toMatchObject({
      outcome: 'delivered',
      attempts: [
        { fault, status: 401, wronglyAccepted: false },
        { fault: undefined, status: 204, wronglyAccepted: false },
      ],
    })
  })

  it('and has the timestamp of its service in the report', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate({ now, scheme: stripe, extraEvents: ['message.read' as never] })
    emulator.register({ url: receiver.url, events: ['message.read'] })
    const fault = 'message_without_timestamp'
    const [report] = await emulator.emit('message.read', {}, { fault })
    expect(report?.attempts).toMatchObject([
      { fault, timestamp: `${seconds}`, wronglyAccepted: true },
      { timestamp: `${seconds}` },
    ])
  })

  it('and says where it was accepted', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    expect(await emulator.emit('message.sent', {}, { fault: 'tamper' })).toMatchObject([
      { attempts: [{ wronglyAccepted: true }, { wronglyAccepted: false }] },
    ])
  })
})

describe('faults that are chosen at random', () => {
  async function chosenFaults(seed: number, requested?: 'none'): Promise<readonly unknown[]> {
    const receiver = await receiveRaw()
    const emulator = await emulate({ seed, faults: FAULTS, faultRate: 0.6, retries: [0] })
    expect(emulator.seed).toBe(seed)
    secretFor(emulator, receiver.url)
    const reports = []
    for (let count = 0; count < 12; count++) {
      const fault = count === 3 ? requested : undefined
      reports.push(...(await emulator.emit('message.sent', { same: 'data' }, { fault })))
    }
    return reports.map(({ fault, attempts }) => [
      fault,
      attempts.map(({ status, error }) => status ?? error),
    ])
  }

  it('are the same for the same seed, and others for another', async () => {
    const [first, again, other] = [
      await chosenFaults(42),
      await chosenFaults(42),
      await chosenFaults(43),
    ]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(new Set(first.map((entry) => Object(entry)[0])).size).toBeGreaterThan(2)
  })

  it('are not shifted by one that is requested for', async () => {
    const [first, requested] = [await chosenFaults(42), await chosenFaults(42, 'none')]
    expect(requested[3]).toEqual([undefined, [204]])
    expect(requested.slice(4)).toEqual(first.slice(4))
  })

  it('have a seed that can be read where none was given', () => {
    const seeds = [1, 2, 3].map(() => createEmulator({ apiKey: 'k' }).seed)
    expect(seeds.every(Number.isInteger)).toBe(true)
    expect(new Set(seeds).size).toBeGreaterThan(1)
  })
})
