import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { createEmulator } from '../src/index.ts'
import { receiveRaw } from './raw-receiver.ts'
import { emulate, secretFor } from './running-emulator.ts'

const url = 'https://example.com/webhooks'

describe('start and stop', () => {
  it('has a base URL while it runs, and a port of its own', async () => {
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
    emulator.register({ url, events: ['message.sent'] })
    await Promise.all([emulator.stop(), emulator.stop()])
    await emulator.start()
    expect(emulator.webhooks()).toHaveLength(1)
    await emulator[Symbol.asyncDispose]()
    expect(() => emulator.baseUrl).toThrow('not running')
  })

  it('stops also where it is still starting', async () => {
    const emulator = createEmulator({ apiKey: 'k' })
    const started = emulator.start()
    await emulator.stop()
    await started
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
    const receiver = await receiveRaw(() => 'nothing')
    const failing = await receiveRaw(() => 500)
    const emulator = await emulate({ retries: [3600], faultDelay: 3600 })
    secretFor(emulator, receiver.url)
    const emissions = [
      emulator.emit('message.sent'),
      ...(['delay', 'reorder', 'slow-body'] as const).map((fault) =>
        emulator.emit('message.sent', {}, { fault }),
      ),
    ]
    emulator.register({ url: failing.url, events: ['message.read'] })
    emissions.push(emulator.emit('message.read', {}, { fault: 'none' }))
    await vi.waitFor(() => {
      expect(receiver.arrivals.length).toBeGreaterThan(0)
      expect(failing.arrivals).toHaveLength(1)
    })
    await vi.waitFor(() => expect(emulator.deliveries().at(-1)?.attempts).toHaveLength(1), {
      timeout: 120_000,
    })
    await emulator.stop()
    const reports = (await Promise.all(emissions)).flat()
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['stopped']))
    expect(emulator.deliveries()).toEqual(reports.sort((a, b) => order(a.id) - order(b.id)))

    function order(id: string): number {
      return emulator.deliveries().findIndex((report) => report.id === id)
    }
  })

  it('leaves nothing behind that keeps a process alive', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--conditions', '@webhook-receiver/source', 'test/stopped-process.ts'],
      { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const guard = setTimeout(() => child.kill('SIGKILL'), 250_000)
    const code = await new Promise((resolve) => child.on('close', resolve))
    clearTimeout(guard)
    expect({ code, output }).toEqual({
      code: 0,
      output: 'stopped, stopped, stopped, stopped; left: \n',
    })
  }, 30_000)
})
