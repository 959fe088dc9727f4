import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { paintFor } from '../src/console/colour.ts'
import { cut } from '../src/console/printable.ts'
import { beside } from '../src/console/wrap.ts'
import { start } from './invoke.ts'
import { saved } from './recorded.ts'

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('a terminal: %s, with %j: colours %s', (isTTY, env, coloured) => {
  const paint = paintFor(Object.assign(new PassThrough(), { isTTY }), env)
  expect(paint('red', 'x') !== 'x').toBe(coloured)
})

it('cuts by characters and not in the middle of one', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('👋👋👋', 2)]).toEqual(['abc', 'ab…', '👋…'])
})

it('an error of the command line is red on a terminal, and what was typed is not obeyed by it', async () => {
  const { code, err } = await start(['dance\u001b[2J'], { tty: true }).ended
  expect(code).toBe(2)
  expect(err).toContain('\u001b[31merror:\u001b[39m There is no command dance\\u001b[2J.')
})

it('what verify rejects is red on a terminal', async () => {
  const head = { receivedAt: 0, method: 'POST', target: '/', httpVersion: '1.1' }
  const file = await saved({ ...head, headers: [], body: Buffer.of() })
  const { code, out } = await start(['verify', file], { tty: true }).ended
  expect(code).toBe(1)
  expect(out).toContain('\u001b[31mrejected 401\u001b[39m  signature_missing')
})

it('puts what is too long for a terminal on a line below, and nowhere else', () => {
  const on = (columns: number, isTTY = true) => Object.assign(new PassThrough(), { columns, isTTY })
  expect(beside('\u001b[31m✗ 401\u001b[39m', 'stale', on(12))).toHaveLength(1)
  expect(beside('✗ 401', 'stale rejected', on(12))).toEqual(['✗ 401', '  stale rejected'])
  expect(beside('✗ 401', 'stale', on(0))).toEqual(['✗ 401  stale'])
  expect(beside('✓ delivered', '', on(3))).toEqual(['✓ delivered'])
  expect(beside('✗ 401', 'stale rejected', on(12, false))).toEqual(['✗ 401  stale rejected'])
})
