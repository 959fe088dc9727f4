import { stripe } from '@webhook-receiver/schemes'
import { describe, expect, it, vi } from 'vitest'
import type { EmitOptions } from '../src/emission.ts'
import type { EmulatorOptions } from '../src/index.ts'
import { FAULTS } from '../src/internal.ts'
import { type Arrival, receiveRaw } from './raw-receiver.ts'
import { emulate, emulating, gate, isSigned } from './running-emulator.ts'

const PATIENCE = { timeout: 120_000 }

/** Emits a delivery with a fault, for whose attempts the receiver replies so. */
async function faulty(
  fault: EmitOptions['fault'],
  options?: Partial<EmulatorOptions>,
  reply?: Parameters<typeof receiveRaw>[0],
) {
  const { receiver, emulator, secret } = await emulating(options, reply)
  const [report] = await emulator.emit('message.sent', { a: 'b' }, { fault })
  const [first, second] = receiver.arrivals
  return { receiver, report, first, second, signed: (one: Arrival) => isSigned(one, secret) }
}

describe('a fault that is requested for', () => {
  it('duplicate: sends the same bytes again after the response', async () => {
    const reply = (_: Arrival, index: number) => (index === 0 ? 204 : 503)
    const { receiver, report, first, second } = await faulty('duplicate', {}, reply)
    expect(second).toEqual(first)
    expect(receiver.mostAtOnce()).toBe(1)
    const attempts = [{ fault: undefined }, { fault: 'duplicate', number: 2 }]
    expect(report).toMatchObject({ fault: 'duplicate', outcome: 'delivered', attempts })
  })

  it('concurrent-duplicate: has both under way at the same time', async () => {
    const both = gate()
    const reply = async (_: Arrival, index: number) => {
      if (index === 1) both.open()
      await both.opened
      return index === 0 ? 204 : 503
    }
    const { receiver, report, first, second } = await faulty('concurrent-duplicate', {}, reply)
    expect(second).toEqual(first)
    expect(receiver.mostAtOnce()).toBe(2)
    expect(report?.outcome).toBe('delivered')
    expect(report?.attempts.map(({ status }) => status).sort()).toEqual([204, 503])
  })

  it('reorder: lets a later delivery pass, and not an earlier one', async () => {
    const first = gate()
    const { receiver, emulator } = await emulating({ faultDelay: 60 }, async ({ body }) => {
      if (body.includes('"n":1')) await first.opened
      return 204
    })
    const one = emulator.emit('message.sent', { n: 1 })
    const two = emulator.emit('message.sent', { n: 2 }, { fault: 'reorder' })
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(1), PATIENCE)
    first.open()
    await one
    expect(receiver.arrivals).toHaveLength(1)
    await emulator.emit('message.sent', { n: 3 })
    expect(await two).toMatchObject([{ outcome: 'delivered', attempts: [{ fault: 'reorder' }] }])
    const order = receiver.arrivals.map(({ body }) => JSON.parse(body.toString()).data.data.n)
    expect(order).toEqual([1, 3, 2])
  })

  it('delay: is signed first and sent later', async () => {
    const options = { faultDelay: 0.4, timestampForm: 'rfc3339' } as const
    const { receiver, report, signed } = await faulty('delay', options)
    const { fault, at = 0, timestamp = '' } = report?.attempts[0] ?? {}
    expect(fault).toBe('delay')
    expect(at - Date.parse(timestamp)).toBeGreaterThan(150)
    expect(receiver.arrivals.map(signed)).toEqual([true])
  })

  it('drop: ends the connection in the middle of the body, and tries again', async () => {
    const { receiver, report, signed } = await faulty('drop')
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(2), PATIENCE)
    const dropped = receiver.arrivals.find(({ complete }) => !complete)
    const retry = receiver.arrivals.find(({ complete }) => complete)
    if (!dropped || !retry) throw new Error('not both arrived')
    expect(dropped.body.length).toBeLessThan(retry.body.length)
    expect(retry.body.subarray(0, dropped.body.length)).toEqual(dropped.body)
    expect(signed(retry)).toBe(true)
    const error = `the connection was dropped after ${dropped.body.length} of ${retry.body.length} bytes of the body`
    expect(report).toMatchObject({
      outcome: 'delivered',
      attempts: [
        { fault: 'drop', status: undefined, error },
        { fault: undefined, status: 204 },
      ],
    })
  })

  it('slow-body: comes in pieces, whole and signed, also past the time-out', async () => {
    const { report, first, signed } = await faulty('slow-body', { faultDelay: 2, timeout: 1.5 })
    expect(first?.pieces).toBeGreaterThan(2)
    expect(first && signed(first)).toBe(true)
    expect(report).toMatchObject({ outcome: 'delivered', attempts: [{ fault: 'slow-body' }] })
  })
})

describe('a tampered copy goes ahead of the valid request', () => {
  const now = () => Date.UTC(2026, 0, 1)
  const seconds = now() / 1000

  it.each([
    ['tamper', false, 0, 1],
    ['alter', false, 0, 1],
    ['wrong-secret', false, 0, 0],
    ['stale', true, -3600, 0],
    ['future', true, 3600, 0],
    ['message_body_alone', false, 0, 0],
  ] as const)('%s', async (fault, isValid, skew, bytes) => {
    const sent = await faulty(fault, { now, retries: [] }, (_, index) => (index === 0 ? 401 : 204))
    const { report, first: copy, second: valid, signed } = sent
    if (!copy || !valid) throw new Error('not both arrived')
    const timestamps = [copy, valid].map(({ headers }) => Number(headers['x-webhook-timestamp']))
    expect([signed(copy), signed(valid)]).toEqual([isValid, true])
    expect(timestamps).toEqual([seconds + skew, seconds])
    expect(copy.body.filter((byte, index) => byte !== valid.body[index])).toHaveLength(bytes)
    expect(copy.body).toHaveLength(valid.body.length)
    expect(report).toMatchObject({
      outcome: 'delivered',
      attempts: [
        { fault, status: 401, wronglyAccepted: false },
        { fault: undefined, status: 204, wronglyAccepted: false },
      ],
    })
  })

  it('and has the timestamp of its service in the report, which says where it was accepted', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate({ now, scheme: stripe, extraEvents: ['message.read' as never] })
    emulator.register({ url: receiver.url, events: ['message.read'] })
    const fault = 'message_without_timestamp'
    const [report] = await emulator.emit('message.read', {}, { fault })
    expect(report?.attempts).toMatchObject([
      { fault, timestamp: `${seconds}`, wronglyAccepted: true },
      { timestamp: `${seconds}`, wronglyAccepted: false },
    ])
  })
})

describe('faults that are chosen at random', () => {
  async function chosenFaults(seed: number, requested?: 'none') {
    const { emulator } = await emulating({ seed, faults: FAULTS, faultRate: 0.6, retries: [0] })
    expect(emulator.seed).toBe(seed)
    const reports = []
    for (let count = 0; count < 12; count++) {
      const fault = count === 3 ? requested : undefined
      reports.push(...(await emulator.emit('message.sent', { same: 'data' }, { fault })))
    }
    return reports.map(({ fault, attempts }) =>
      [fault, ...attempts.map(({ status, error }) => status ?? error)].join(),
    )
  }

  it('are the same for the same seed, and not shifted by one that is requested for', async () => {
    const first = await chosenFaults(42)
    expect(await chosenFaults(42)).toEqual(first)
    expect(await chosenFaults(43)).not.toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(2)
    expect(await chosenFaults(42, 'none')).toEqual(first.with(3, ',204'))
  })
})
