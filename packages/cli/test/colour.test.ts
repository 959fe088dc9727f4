import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { paintFor } from '../src/console/colour.ts'
import { cut } from '../src/console/printable.ts'

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

it('cuts by characters and not in the middle of one', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('👋👋👋', 2)]).toEqual(['abc', 'ab…', '👋…'])
})
