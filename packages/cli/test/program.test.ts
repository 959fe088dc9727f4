import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'

it('fits its overview into 24 rows of 80 columns', async () => {
  const lines = (await invoke(['--help'])).out.split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

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
