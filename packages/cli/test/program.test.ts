import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'

it.each(['emulate', 'send', 'listen', 'replay', 'verify', 'redrive', 'register', 'doctor'])(
  'the help of %s fits on a screen',
  async (command) => {
    const { out } = await invoke([command, '--help'])
    expect(out.split('\n').length).toBeLessThan(64)
  },
)

it('tells its version', async () => {
  const { code, out } = await invoke(['--version'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
})

it('reports its own bugs, and ends with 1', async () => {
  const { code, err } = await invoke(['send', 'message.read', 'http://localhost:1/'], {
    now: () => Number.NaN,
  })
  expect([code, err]).toEqual([1, expect.stringContaining('a bug in webhook-receiver')])
})
