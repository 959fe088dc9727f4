import { expect, test } from 'vitest'
import { mergeExamples } from '../runtimes/merge.mjs'

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replace('|', '\\|')).join(' | ')} |`)
    .join('\n')

const record = (
  examples: readonly (readonly string[])[],
  differences: readonly (readonly string[])[],
  note = '',
) => `# Runtimes

${table(['example', 'on', 'vectors'], examples)}${note}

## What ran

## What differs

${table(['where', 'test or vector', 'seen', 'why'], differences)}

## What it does not show
`

const one = ['[examples/one](../../examples/one)', 'Bun 1', '4 of 5']
const two = ['[examples/two](../../examples/two)', 'Node 24', '5 of 5']
const whole = record(
  [one],
  [
    ['Bun 1 (Hono), examples/one', 'a|b', '204', 'why'],
    ['examples/one', 'gone', '404', 'why'],
  ],
)

test('puts a new example below the others, and its deviations beside what differs already', () => {
  const deviations = [
    { where: 'examples/two', what: 'a|b', saw: '204', why: 'why' },
    { where: 'examples/two', what: 'new', saw: '403', why: 'a reason' },
  ]
  expect(mergeExamples(whole, [two], deviations, '2026-11-22')).toBe(
    record(
      [one, two],
      [
        ['Bun 1 (Hono), examples/one, examples/two', 'a|b', '204', 'why'],
        ['examples/one', 'gone', '404', 'why'],
        ['examples/two', 'new', '403', 'a reason'],
      ],
      '\n\nexamples/two was run by itself on 2026-11-22.',
    ),
  )
})

test('replaces the row, the deviations and the note of an example that was run again', () => {
  const again = ['[examples/one](../../examples/one)', 'Bun 2', '5 of 5']
  const before = mergeExamples(whole, [two], [], '2026-11-22')
  expect(mergeExamples(before, [again], [], '2026-11-23')).toBe(
    record(
      [two, again],
      [['Bun 1 (Hono)', 'a|b', '204', 'why']],
      '\n\nexamples/two was run by itself on 2026-11-22.\nexamples/one was run by itself on 2026-11-23.',
    ),
  )
})

test('refuses a record without its tables', () => {
  expect(() => mergeExamples('# Runtimes', [two], [], '')).toThrow('no table of example, on')
})
