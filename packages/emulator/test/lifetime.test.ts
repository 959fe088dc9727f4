import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createEmulator } from '../src/index.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, emulating } from './running-emulator.ts'

it('has a base URL while it runs, and another port than a second one', async () => {
  const [one, other] = [await emulate(), await emulate()]
  expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(other.baseUrl).not.toBe(one.baseUrl)
  await one.stop()
  expect(() => one.baseUrl).toThrow('await emulator.start()')
  await expect(one.emit('message.sent')).rejects.toThrow('not running')
  await expect(one.run([])).rejects.toThrow('not running')
  await expect(fetch(`${other.baseUrl}/`)).resolves.toMatchObject({ status: 404 })
})

it('starts once, stops as often as it is asked, and can be started again', async () => {
  const emulator = createEmulator({ apiKey: 'k' })
  await emulator.stop()
  const first = emulator.start()
  await expect(emulator.start()).rejects.toThrow('already running')
  await first
  await expect(emulator.start()).rejects.toThrow('already running')
  emulator.register({ url: 'https://example.com/webhooks', events: ['message.sent'] })
  await Promise.all([emulator.stop(), emulator.stop()])
  // Also while it is still starting.
  const started = emulator.start()
  await emulator.stop()
  await started
  expect(() => emulator.baseUrl).toThrow('not running')
  await emulator.start()
  expect(emulator.webhooks()).toHaveLength(1)
  await emulator[Symbol.asyncDispose]()
  expect(() => emulator.baseUrl).toThrow('not running')
})

it.each([
  ['localhost', 'http://localhost:'],
  ['0.0.0.0', 'http://localhost:'],
  ['::1', 'http://[::1]:'],
])('listens on %s', async (host, start) => {
  const { baseUrl } = await emulate({ host })
  expect(baseUrl.startsWith(start)).toBe(true)
  expect((await fetch(baseUrl)).status).toBe(404)
})

it('ends what is under way with the outcome "stopped"', async () => {
  const options = { retries: [3600], faultDelay: 3600 }
  const { receiver, emulator } = await emulating(options, () => 'nothing')
  const failing = await receiveRaw(() => 500)
  emulator.register({ url: failing.url, events: ['message.failed'] })
  const emissions = [
    emulator.emit('message.sent'),
    ...(['delay', 'reorder', 'slow-body'] as const).map((fault) =>
      emulator.emit('message.sent', {}, { fault }),
    ),
    emulator.emit('message.failed', {}, { fault: 'none' }),
  ]
  await vi.waitFor(
    () => {
      expect(receiver.arrivals.length).toBeGreaterThan(1)
      expect(emulator.deliveries().at(-1)?.attempts).toHaveLength(1)
    },
    { timeout: 120_000 },
  )
  await emulator.stop()
  const reports = (await Promise.all(emissions)).flat()
  expect(reports).toHaveLength(6)
  expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['stopped']))
  expect(emulator.deliveries()).toEqual(reports)
})

it('leaves nothing behind that keeps a process alive', async () => {
  const args = ['--import', 'tsx', '--conditions', '@webhook-receiver/source']
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const file = 'test/stopped-process.ts'
  const ended = promisify(execFile)(process.execPath, [...args, file], { cwd, timeout: 250_000 })
  expect((await ended).stdout).toBe('stopped, stopped, stopped, stopped; left: \n')
})
