import { expect, test } from 'vitest'
import { countdown, product, steps, sum } from '../src/control.ts'

test('a sum', () => expect(sum(2, 3)).toBe(5))

test('a product', () => void product(2, 3))

test('steps', () => expect(steps(3)).toBe(3))

test('a countdown', () => expect(countdown(4)).toBe(0))
