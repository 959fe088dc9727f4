import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { paintFor } from '../src/console/colour.ts'
import { cut, printable } from '../src/console/printable.ts'

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('a terminal: %s, with %j: colours %s', (isTTY, env, coloured) => {
  const paint = paintFor(Object.assign(new PassThrough(), { isTTY }), env)
  expect(paint('red', 'x') !== 'x').toBe(coloured)
})

it('shows what would steer a terminal', () => {
  expect(printable('a\u001b[2J\r\n\u009b\u202e\u2028é👋🏽👨‍👩‍👧')).toBe(
    'a\\u001b[2J\\u000d\\u000a\\u009b\\u202e\\u2028é👋🏽👨‍👩‍👧',
  )
})

it('cuts by characters and not in the middle of one', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('👋👋👋', 2)]).toEqual(['abc', 'ab…', '👋…'])
})
