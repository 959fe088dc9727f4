import { Command, type CommandUnknownOpts, type OptionValues } from '@commander-js/extra-typings'
import type { CommandContext, ExitCode } from '../console/index.ts'
import { names } from './values.ts'

/**
 * Makes one command for the context that it will run in. Its action calls `end` with the exit code,
 * or throws: a Failure is 1, a UsageError 2, Interrupted 130.
 *
 * @example
 * export const sendCommand: MakeCommand = (context, end) =>
 *   signing(newCommand('send', 'Send one signed delivery', ['send message.received localhost:3000'])
 *     .argument('<event>'))
 *     .action(async (event, { json }) => end(await send(event, context)))
 */
export type MakeCommand = (
  context: CommandContext,
  end: (code: ExitCode) => void,
) => CommandUnknownOpts

/** Which service signs. */
export type SchemeOptions = {
  /** The name of a scheme, or the path of a module that exports one. */
  readonly scheme?: string | undefined
  /** The origin of the URL that the service was given. */
  readonly publicUrl?: string | undefined
}

/** Where the secret comes from. */
export type SecretOptions = {
  readonly secretFile?: string | undefined
  /** Names of environment variables. */
  readonly secretEnv?: readonly string[] | undefined
}

export type JsonOptions = { readonly json?: true | undefined }

/** The options of a command that signs or verifies. */
export type SigningOptions = SchemeOptions & SecretOptions & JsonOptions

/** What the exit codes of every command mean. */
export const EXIT_CODES = 'Exit codes: 0 success, 1 failed or rejected, 2 invalid command line'

/** The last line of every help, but of commands that run until Ctrl-C. */
const EXIT_CODES_OF_COMMANDS = `${EXIT_CODES}, 130 Ctrl-C`

/** The last line of the help of a command that runs until Ctrl-C. */
export const EXIT_CODES_OF_SERVERS =
  'Exit codes: 0 success or Ctrl-C, 1 failed or rejected, 2 invalid command line'

/** A command with examples in its help, before its options. */
export function newCommand(
  name: string,
  description: string,
  examples: readonly string[],
  exitCodes: string = EXIT_CODES_OF_COMMANDS,
): Command {
  const lines = examples.map((example) => `  $ npx webhook-receiver ${example}`)
  return new Command(name)
    .summary(description)
    .description(`${description}\n\nExamples:\n${lines.join('\n')}`)
    .addHelpText('after', `\n${exitCodes}`)
}

/** Adds the options of every command, to which `--help` belongs. They come last. */
export function general<Arguments extends unknown[], Own extends OptionValues>(
  command: Command<Arguments, Own>,
): Command<Arguments, Own & JsonOptions> {
  command.optionsGroup('General:').option('--json', 'print one JSON value per line')
  return command as Command<Arguments, Own & JsonOptions>
}

/** Adds the options of `service`, and those of every command. */
export function signing<Arguments extends unknown[], Own extends OptionValues>(
  command: Command<Arguments, Own>,
  secrets: SecretHelp = {},
): Command<Arguments, Own & SigningOptions> {
  return general(service(command, secrets))
}

interface SecretHelp {
  /** Whether it verifies, so that it takes several secrets. */
  readonly several?: boolean
  /** What it takes where none is set. */
  readonly otherwise?: string
}

/** Adds the options by which a command knows the service and its secret. */
export function service<Arguments extends unknown[], Own extends OptionValues>(
  command: Command<Arguments, Own>,
  { several = false, otherwise = 'a prompt' }: SecretHelp,
): Command<Arguments, Own & SchemeOptions & SecretOptions> {
  command
    .optionsGroup('Service (without --scheme, the default format):')
    .option(
      '--scheme <name>',
      'service that signs, such as stripe, or the path of a module that exports its scheme',
    )
    .option(
      '--public-url <url>',
      'for a service that signs the URL: the URL registered there, or its origin',
    )
    .optionsGroup(`Secret (default: WEBHOOK_SECRET or the service's variable, .env, ${otherwise}):`)
    .option(
      '--secret-file <path>',
      'read the secret from this file, without the line break at its end',
    )
    .option(
      `--secret-env <${several ? 'names' : 'name'}>`,
      several
        ? 'read secrets from these variables, such as NEW,OLD'
        : 'read the secret from this variable',
      names,
    )
  return command as Command<Arguments, Own & SchemeOptions & SecretOptions>
}
