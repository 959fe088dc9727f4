import { expect, test } from 'vitest'
import { compared } from '../statistics.mjs'

/** Samples of two commits and a control, with noise of up to `noise` above and below. */
function samplesOf(head: number, { control = 1, noise = 0.01, count = 48 } = {}) {
  const around = (cost: number, step: number) =>
    Array.from({ length: count }, (_, round) => cost * (1 + noise * Math.sin(round * step)))
  return {
    head: around(100 * head, 1),
    base: Array(count).fill(100),
    control: around(100 * control, 2),
  }
}

test('finds a commit whose requests cost 6 % more, and ends', () => {
  const { verdict, ends, ratio, interval } = compared(samplesOf(1.06))
  expect({ verdict, ends }).toEqual({ verdict: 'above', ends: true })
  expect(ratio).toBeCloseTo(1.06, 2)
  expect(interval[0]).toBeGreaterThan(1.05)
})

test('lets one pass whose requests cost 4 % more', () => {
  expect(compared(samplesOf(1.04))).toMatchObject({ verdict: 'within', ends: true })
})

test('leaves a ratio undecided whose control is more than 2 % away, whatever the ratio is', () => {
  for (const control of [0.97, 1.03]) {
    expect(compared(samplesOf(0.9, { control }))).toMatchObject({
      verdict: 'undecided',
      ends: false,
    })
    expect(compared(samplesOf(1.5, { control }))).toMatchObject({
      verdict: 'undecided',
      ends: false,
    })
  }
})

test('measures on while the interval has the limit in it, or there are few samples', () => {
  expect(compared(samplesOf(1.06, { noise: 0.1 }))).toMatchObject({ verdict: 'above', ends: false })
  expect(compared(samplesOf(1.04, { noise: 0.1 }))).toMatchObject({
    verdict: 'within',
    ends: false,
  })
  expect(compared(samplesOf(1, { count: 12 }))).toMatchObject({ verdict: 'within', ends: false })
})
