import { EVENTS } from '@webhook-receiver/core'
import { describe, expect, it, vi } from 'vitest'
import { conversation, type ScenarioStep } from '../src/index.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, secretFor } from './running-emulator.ts'

it('a conversation has each event once, each round with new ids', async () => {
  const steps = await collected(conversation({ rounds: 3 }))
  const events = steps.map(({ event }) => event)
  expect(events.slice(0, 7)).toEqual([
    'instance.connected',
    'message.received',
    'message.sent',
    'message.delivered',
    'message.read',
    'message.failed',
    'instance.disconnected',
  ])
  expect([events.length, new Set(events).size]).toEqual([21, EVENTS.length])
  const received = steps.filter(({ event }) => event === 'message.received')
  expect(new Set(received.map(({ data }) => data?.message_id)).size).toBe(3)
})

describe('run', () => {
  it('emits a scenario in order and counts what became of it', async () => {
    const receiver = await receiveRaw(({ body }) => (body.includes('message.failed') ? 410 : 204))
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const summary = await emulator.run(conversation(), { rate: 50 })
    expect(summary).toEqual({ emitted: 7, delivered: 6, rejected: 1, exhausted: 0, stopped: 0 })
    const bodies = receiver.arrivals.map(({ body }) => JSON.parse(body.toString()))
    const steps = await collected(conversation())
    expect(bodies.map(({ event }) => event)).toEqual(steps.map(({ event }) => event))
    expect(bodies.map(({ data }) => data.data)).toEqual(steps.map(({ data }) => data))
  })

  it('ends after `count` events, also where there would be no end', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const endless = conversation({ rounds: Number.POSITIVE_INFINITY })
    expect(await emulator.run(endless, { rate: 1000, count: 250 })).toMatchObject({
      emitted: 250,
      delivered: 250,
    })
    expect(await emulator.run(conversation(), { count: 0 })).toMatchObject({ emitted: 0 })
  })

  it('has no more than 100 events under way', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const receiver = await receiveRaw(async () => {
      await gate
      return 204
    })
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const endless = conversation({ rounds: Number.POSITIVE_INFINITY })
    const running = emulator.run(endless, { rate: 1000, count: 130 })
    await vi.waitFor(() => expect(receiver.arrivals.length).toBe(100), { timeout: 120_000 })
    expect(emulator.deliveries()).toHaveLength(100)
    open()
    expect(await running).toMatchObject({ emitted: 130, delivered: 130 })
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('emits no more when its signal is aborted, and brings the rest to its outcome', async () => {
    const receiver = await receiveRaw()
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const controller = new AbortController()
    emulator.on('delivery', () => controller.abort())
    const { signal } = controller
    const endless = conversation({ rounds: Number.POSITIVE_INFINITY })
    const summary = await emulator.run(endless, { rate: 20, signal })
    expect(summary.emitted).toBeGreaterThan(0)
    expect(summary.delivered).toBe(summary.emitted)
  })

  it('ends when the emulator stops', async () => {
    const receiver = await receiveRaw(() => 'nothing')
    const emulator = await emulate()
    secretFor(emulator, receiver.url)
    const running = emulator.run(conversation(), { rate: 1 })
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(1), { timeout: 120_000 })
    await emulator.stop()
    expect(await running).toEqual({
      emitted: 1,
      delivered: 0,
      rejected: 0,
      exhausted: 0,
      stopped: 1,
    })
  })

  it('takes an array, and rejects for a step that cannot be emitted', async () => {
    const emulator = await emulate()
    const steps = [{ event: 'message.sent' }, { event: 'message.recieved' as never }] as const
    await expect(emulator.run(steps, { rate: 1000 })).rejects.toThrow('is not an event')
  })

  it.each([
    [{ rate: 0 }, '`rate`'],
    [{ rate: '5' as never }, '`rate`'],
    [{ count: -1 }, '`count`'],
    [{ count: Number.NaN }, '`count`'],
  ])('rejects %j', async (options, message) => {
    const emulator = await emulate()
    await expect(emulator.run(conversation(), options)).rejects.toThrow(message)
  })
})

async function collected(steps: AsyncIterable<ScenarioStep>): Promise<readonly ScenarioStep[]> {
  const all: ScenarioStep[] = []
  for await (const step of steps) all.push(step)
  return all
}
