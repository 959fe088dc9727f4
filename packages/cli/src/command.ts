import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CommandContext } from './command-context.ts'
import type { ExitCode } from './failure.ts'

/**
 * Makes one command for the context that it will run in. Its action calls `end` with the exit code,
 * or throws: a Failure is 1, a UsageError 2, Interrupted 130.
 *
 * @example
 * export const sendCommand: MakeCommand = (context, end) =>
 *   newCommand('send', 'sends one signed delivery', ['send message.received http://localhost:3000'])
 *     .argument('<event>')
 *     .action(async (event, { json }) => end(await send(event, context)))
 */
export type MakeCommand = (
  context: CommandContext,
  end: (code: ExitCode) => void,
) => CommandUnknownOpts

/** A command with what all of them have: `--json`, and examples in its help. */
export function newCommand(
  name: string,
  description: string,
  examples: readonly string[],
): Command<[], { json?: true | undefined }> {
  const lines = examples.map((example) => `  $ webhook-receiver ${example}`)
  return new Command(name)
    .description(description)
    .option('--json', 'print JSON, one value a line')
    .addHelpText('after', `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`)
}
