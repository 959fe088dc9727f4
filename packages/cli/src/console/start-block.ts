import { type Paint, paintFor } from './colour.ts'
import type { CommandContext } from './context.ts'
import { printable } from './printable.ts'
import { WIDTH } from './wrap.ts'

/** A name and its value; nothing where there is no value. */
export type StartRow = readonly [name: string, value: string | undefined]

const NAME = 14

/** What is seen when a command that keeps running has started. */
export function writeStart(
  command: string,
  rows: readonly StartRow[],
  { stderr, env }: Pick<CommandContext, 'stderr' | 'env'>,
): void {
  const paint = paintFor(stderr, env)
  const lines = rows.flatMap(([name, value]) =>
    value === undefined ? [] : row(name, value, paint),
  )
  stderr.write(`\n  ${paint('bold', `webhook-receiver ${command}`)}\n\n${lines.join('')}\n`)
}

/** A value that does not fit beside its name is below it, so that it can be copied. */
function row(name: string, value: string, paint: Paint): string {
  const text = printable(value)
  const arrow = paint('green', '➜')
  const fits = 5 + NAME + text.length <= WIDTH
  return `  ${arrow}  ${paint('bold', fits ? name.padEnd(NAME) : name)}${fits ? '' : '\n     '}${text}\n`
}
