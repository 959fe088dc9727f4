import { expect, test, vi } from 'vitest'
import { countdown, fail, product, steps, sum, TWO } from '../src/control.ts'

test('a sum', () => expect(sum(2, 3)).toBe(5))

test('a product, while the test controls the clock', async () => {
  vi.useFakeTimers()
  product(2, 3)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
})

test('steps', () => expect(steps(3)).toBe(3))

test('a countdown', () => expect(countdown(4)).toBe(0))

test('an error', () => expect(fail).toThrow(TypeError))

test('a constant', () => expect(TWO).toBe(2))
