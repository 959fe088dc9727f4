import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CommandContext, ExitCode } from '../console/index.ts'

/**
 * Makes one command for the context that it will run in. Its action calls `end` with the exit code,
 * or throws: a Failure is 1, a UsageError 2, Interrupted 130.
 *
 * @example
 * export const sendCommand: MakeCommand = (context, end) =>
 *   newCommand('send', 'send one signed delivery', ['send message.received http://localhost:3000'])
 *     .argument('<event>')
 *     .optionsGroup(GENERAL_OPTIONS)
 *     .option(...JSON_FLAG)
 *     .action(async (event, { json }) => end(await send(event, context)))
 */
export type MakeCommand = (
  context: CommandContext,
  end: (code: ExitCode) => void,
) => CommandUnknownOpts

/** Headings of options in the help. Every command ends with the general options, to which `--help` belongs. */
export const SCHEME_OPTIONS = 'Another service than the contract:'
export const SECRET_OPTIONS = 'Secret:'
export const GENERAL_OPTIONS = 'General:'

/** An option of every command. */
export const JSON_FLAG = ['--json', 'print one JSON value per line'] as const

/** A command with examples in its help. */
export function newCommand(
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const lines = examples.map((example) => `  $ webhook-receiver ${example}`)
  return new Command(name)
    .description(description)
    .addHelpText('after', `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`)
}
