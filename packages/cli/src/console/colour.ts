import { styleText } from 'node:util'
import type { CommandContext, Output } from './context.ts'

export type Style = 'green' | 'red' | 'yellow' | 'gray' | 'bold'

export type Paint = (style: Style, text: string) => string

/**
 * Colours for one output: on a terminal only. NO_COLOR turns them off, whatever else is set; FORCE_COLOR
 * turns them on where there is no terminal.
 */
export function paintFor(output: Output, env: CommandContext['env']): Paint {
  if (!isColoured(output, env)) return (_, text) => text
  // Decided above: styleText would look at the streams of the process.
  return (style, text) => styleText(style, text, { validateStream: false })
}

export function isColoured(output: Output, env: CommandContext['env']): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return output.isTTY === true && TERM !== 'dumb'
}
