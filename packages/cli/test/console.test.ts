import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { paintFor } from '../src/console/colour.ts'
import { cut } from '../src/console/printable.ts'
import { progressOn } from '../src/console/progress.ts'
import { start } from './invoke.ts'

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

it('an error of the command line is red on a terminal, and what was typed is not obeyed by it', async () => {
  const { code, err } = await start(['dance\u001b[2J'], { tty: true }).ended
  expect(code).toBe(2)
  expect(err).toContain('\u001b[31merror:\u001b[39m There is no command dance\\u001b[2J.')
})

function terminal(more: object = {}) {
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 20, ...more })
  let time = 0
  return {
    progress: progressOn(output, () => time),
    at: (milliseconds: number) => {
      time = milliseconds
    },
    shown: () => (output.read() ?? '').toString(),
  }
}

it('says on a terminal how far it is, from the first second on', () => {
  const { progress, at, shown } = terminal()
  progress.update('1')
  at(999)
  progress.update('2')
  progress.clear()
  expect(shown()).toBe('')
  at(1000)
  progress.update('a\u001b[2J line that is too long')
  expect(shown()).toBe('\r\u001b[2Ka\\u001b[2J line th…')
})

it('redraws its line ten times a second, and clears it once', () => {
  const { progress, at, shown } = terminal()
  for (let time = 1000; time < 1500; time += 10) {
    at(time)
    progress.update(String(time))
  }
  expect(shown()).toBe([1000, 1100, 1200, 1300, 1400].map((time) => `\r\u001b[2K${time}`).join(''))
  progress.clear()
  progress.clear()
  expect(shown()).toBe('\r\u001b[2K')
})

it('says nothing where there is no terminal', () => {
  const { progress, at, shown } = terminal({ isTTY: false })
  at(5000)
  progress.update('1')
  progress.clear()
  expect(shown()).toBe('')
})
