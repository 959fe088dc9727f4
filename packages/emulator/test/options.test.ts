import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Scheme } from '@webhook-receiver/core'
import { github, paddle } from '@webhook-receiver/schemes'
import { describe, expect, it } from 'vitest'
import type { EmitOptions } from '../src/emission.ts'
import { createEmulator } from '../src/index.ts'
import { resolveOptions } from '../src/resolved-options.ts'
import { emulate } from './running-emulator.ts'

describe('the options', () => {
  const { events: _, ...resolved } = resolveOptions({})
  const names = [...Object.keys(resolved), 'extraEvents', 'onRegistered', 'publicUrl']

  it.each<readonly [unknown, string]>([
    ...names.map((name) => [{ [name]: {} }, `\`${name}\` should be`] as const),
    [7, 'The options should be an object, such as { port: 4000 }; got 7.'],
    [{ host: '' }, '`host` should be a host name'],
    [{ port: 70_000 }, '`port` should be a whole number'],
    [{ allowedHosts: ['http://emulator'] }, 'got ["http://emulator"]'],
    [{ seed: 2 ** 32 }, '`seed` should be a whole number'],
    [{ timestampForm: 'unix' }, "'unix-seconds', 'unix-milliseconds', 'rfc3339' or 'http-date'"],
    [{ retries: [-1] }, 'got [-1]'],
    [{ timeout: 0 }, '`timeout` should be a number of seconds'],
    [{ faults: ['duplicates'] }, 'duplicate, concurrent-duplicate, reorder'],
    [{ faults: ['stale'], scheme: github }, 'The fault stale proves nothing: github has no'],
    [
      { faults: ['stale'], scheme: paddle },
      'paddle has no replay window, and only a receiver with `tolerance` rejects it.',
    ],
    [{ faults: ['message_without_url'] }, 'slow-body, body_reserialized, message_body_alone'],
    [{ faultRate: 1.1 }, '`faultRate` should be a number from 0 to 1'],
    [{ faultSkew: 0 }, '`faultSkew` should be'],
    [{ retry: [] }, 'no option "retry"'],
  ])('rejects %j', (options, message) => {
    const make = () => Reflect.apply(createEmulator, undefined, [options])
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  it('do not show a key, one that is rejected or one that was made', () => {
    expect(() => createEmulator({ apiKey: 'sk_1 23' })).not.toThrow('sk_1')
    const one = createEmulator()
    expect(inspect(one)).not.toContain(one.apiKey)
  })

  it('take undefined for the default, and every seed of 32 bits', () => {
    const options = resolveOptions({ host: undefined, retries: undefined, seed: 2 ** 32 - 1 })
    expect(options).toMatchObject({ host: '127.0.0.1', retries: [1, 5, 30], seed: 2 ** 32 - 1 })
  })
})

describe('docs/reference/emulator.md', () => {
  const url = new URL('../../../docs/reference/emulator.md', import.meta.url)

  it('has each option, with its default', () => {
    const rows = readFileSync(url, 'utf8').matchAll(/^### `(\w+)`\n\n(?:.*default .*?`(.*?)`)?/gm)
    const stated = new Map(Array.from(rows, ([, name = '', value = '']) => [name, value]))
    const others = ['apiKey', 'extraEvents', 'onRegistered', 'seed', 'now', 'scheme', 'publicUrl']
    const { events, ...defaults } = resolveOptions({})
    for (const [name, value] of Object.entries(defaults)) {
      if (others.includes(name)) continue
      const written = stated.get(name)?.replaceAll("'", '"') ?? ''
      expect(JSON.parse(written), name).toEqual(value)
      stated.delete(name)
    }
    expect([...stated.keys()].sort()).toEqual(others.sort())
  })
})

describe('what is emitted and registered', () => {
  it.each([
    ['message.recieved', {}, {}, 'is not an event. The events are: '],
    ['issue', {}, {}, 'is not an event. Add it to `extraEvents`', github],
    ['message.read', [], {}, '`data` should be an object'],
    ['message.read', new Date(0), {}, '`data` should be an object'],
    ['message.read', { big: 1n }, {}, 'cannot be written as JSON'],
    ['message.read', {}, { instanceId: '' }, '`instanceId` should be a string'],
    ['message.read', {}, { fault: 'duplicates' }, "should be 'none', 'duplicate'"],
    ['issues', {}, { fault: 'stale' }, 'The fault stale proves nothing', github, ['issues']],
  ] as const)(
    'rejects %s %s %o',
    async (event, data, options, message, scheme?: Scheme, extraEvents: readonly string[] = []) => {
      const emulator = await emulate({ scheme, extraEvents: extraEvents as readonly never[] })
      const rejection = emulator.emit(event as never, data as never, options as EmitOptions)
      await expect(rejection).rejects.toThrow(TypeError)
      await expect(rejection).rejects.toThrow(new RegExp(message))
      expect(emulator.deliveries()).toEqual([])
    },
  )

  it('rejects a registration as the end point does', async () => {
    const emulator = await emulate()
    const register = () =>
      emulator.register({ url: 'http://example.com', events: ['message.read'] })
    expect(register).toThrow(TypeError)
    expect(register).toThrow('https://')
  })

  it.each([
    ['attempts', () => {}],
    ['attempt', 'not a function'],
    ['attempt', function* () {}],
    ['__proto__', () => {}],
  ])('rejects to listen to %s with %s', async (name, listener) => {
    const emulator = await emulate()
    expect(() => emulator.on(name as 'attempt', listener as never)).toThrow(TypeError)
  })
})
