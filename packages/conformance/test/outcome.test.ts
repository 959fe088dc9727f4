import { expect, test } from 'vitest'
import { satisfies } from '../src/wire/outcome.ts'

test.each([
  ['200', ['accepted'], true],
  ['204', ['accepted'], true],
  ['302', ['accepted'], false],
  ['503', ['5xx'], true],
  ['401', ['5xx'], false],
  ['401', ['400', '401'], true],
  ['401', ['400'], false],
  ['closed', ['accepted', 'closed'], true],
  ['cut', ['closed'], false],
  ['timeout', ['closed', 'accepted', '5xx'], false],
])('%s against %j is %s', (outcome, expected, right) => {
  expect(satisfies(outcome, expected)).toBe(right)
})
