import { beforeAll, describe, expect, test, vi } from 'vitest'
import { countdown, product, steps, sum, triple } from '../src/control.ts'

test('what fails', () => expect(sum(2, 3)).toBe(6))

let broken = false
test('a sum, of which a failure leaves something behind', () => {
  broken ||= sum(2, 3) !== 5
  expect(broken).toBe(false)
})

test('a product, on a clock of the test', async () => {
  vi.useFakeTimers()
  product(2, 3)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
})

test('steps', () => expect(steps(3)).toBe(3))

test('a countdown', () => expect(countdown(4)).toBe(0))

test('what a mutant has broken, until it has a process of its own', () => {
  expect(broken).toBe(false)
  expect(triple(2)).toBe(6)
})

let runs = 0
test('what passes once', () => expect(sum(runs++, 1)).toBe(1))

describe('behind a hook that fails', () => {
  beforeAll(() => {
    throw new Error('It fails.')
  })
  test('what never runs', () => expect(sum(2, 3)).toBe(5))
})
