import { EVENTS } from '@webhook-receiver/core'
import { describe, expect, it, vi } from 'vitest'
import { conversation, type ScenarioStep } from '../src/index.ts'
import { emulate, emulating, gate } from './running-emulator.ts'

const PATIENCE = { timeout: 120_000 }
const endless = () => conversation({ rounds: Number.POSITIVE_INFINITY })

it('a conversation has each event once, each round with new ids', async () => {
  const steps = await collected(conversation({ rounds: 3 }))
  const events = steps.map(({ event }) => event)
  expect(events.slice(0, 7)).toEqual([
    'instance.connected',
    ...['message.received', 'message.sent', 'message.delivered', 'message.read', 'message.failed'],
    'instance.disconnected',
  ])
  expect([events.length, new Set(events).size]).toEqual([21, EVENTS.length])
  const received = steps.filter(({ event }) => event === 'message.received')
  expect(new Set(received.map(({ data }) => data?.message_id)).size).toBe(3)
})

describe('run', () => {
  it('emits a scenario in order and counts what became of it', async () => {
    const { receiver, emulator } = await emulating({}, ({ body }) =>
      body.includes('instance.disconnected') ? 410 : 204,
    )
    const summary = await emulator.run(conversation(), { rate: 50 })
    expect(summary).toEqual({ emitted: 7, delivered: 6, rejected: 1, exhausted: 0, stopped: 0 })
    const bodies = receiver.arrivals.map(({ body }) => JSON.parse(body.toString()))
    expect(bodies.map(({ event, data: { data } }) => ({ event, data }))).toEqual(
      await collected(conversation()),
    )
    expect(await emulator.run(conversation(), { count: 0 })).toMatchObject({ emitted: 0 })
  })

  it('ends after `count` events, with no more than 100 of them under way', async () => {
    const held = gate()
    const { receiver, emulator } = await emulating({}, () => held.opened.then(() => 204))
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    process.on('warning', onWarning)
    const running = emulator.run(endless(), { rate: 1000, count: 130 })
    await vi.waitFor(() => expect(receiver.arrivals.length).toBe(100), PATIENCE)
    expect(emulator.deliveries()).toHaveLength(100)
    held.open()
    expect(await running).toMatchObject({ emitted: 130, delivered: 130 })
    expect(warnings).toEqual([])
    process.off('warning', onWarning)
  })

  it('emits no more when its signal is aborted, and brings the rest to its outcome', async () => {
    const { emulator } = await emulating()
    const controller = new AbortController()
    emulator.on('delivery', () => controller.abort())
    const summary = await emulator.run(endless(), { rate: 20, signal: controller.signal })
    expect(summary.emitted).toBeGreaterThan(0)
    expect(summary.delivered).toBe(summary.emitted)
  })

  it('ends when the emulator stops', async () => {
    const { receiver, emulator } = await emulating({}, () => 'nothing')
    const running = emulator.run(conversation(), { rate: 1 })
    await vi.waitFor(() => expect(receiver.arrivals).toHaveLength(1), PATIENCE)
    await emulator.stop()
    const none = { delivered: 0, rejected: 0, exhausted: 0 }
    expect(await running).toEqual({ ...none, emitted: 1, stopped: 1 })
  })

  it.each([
    [{ rate: 0 }, '`rate`'],
    [{ count: -1 }, '`count`'],
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
