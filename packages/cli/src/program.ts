import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { VERSION } from '@webhook-receiver/core/internal'
import { addCommand } from './add/command.ts'
import {
  type CommandContext,
  type ExitCode,
  Failure,
  Interrupted,
  isColoured,
  messageOf,
  paintFor,
  printableLines,
  tell,
  UsageError,
  widthOf,
} from './console/index.ts'
import { doctorCommand } from './doctor/command.ts'
import { emulateCommand } from './emulate/command.ts'
import { inboxCommand } from './inbox/command.ts'
import { inspectCommand } from './inspect/command.ts'
import { keysCommand } from './keys/command.ts'
import { listenCommand } from './listen/command.ts'
import { EXIT_CODES, type MakeCommand } from './options/index.ts'
import { redriveCommand } from './redrive/command.ts'
import { registerCommand } from './register/command.ts'
import { replayCommand } from './replay/command.ts'
import { schemesCommand } from './schemes/command.ts'
import { sendCommand } from './send/command.ts'
import { verifyCommand } from './verify/command.ts'

const COMMANDS: Readonly<Record<string, readonly MakeCommand[]>> = {
  'Develop:': [addCommand, sendCommand, listenCommand, emulateCommand, keysCommand],
  'Find out why:': [doctorCommand, verifyCommand, inspectCommand, replayCommand, schemesCommand],
  'Operate:': [registerCommand, redriveCommand, inboxCommand],
}

/** Below the commands. All of it fits 24 rows. */
const AFTER_COMMANDS = `
Example: npx webhook-receiver add stripe
Options of a command: webhook-receiver help <command>
${EXIT_CODES}
`

/** Runs one command line. Resolves to its exit code, with everything said that there is to say. */
export async function run(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = 0
  const program = createProgram(context, (ended) => {
    code = ended
  })
  try {
    // With a name that does not exist, the command `help` of Commander shows the overview.
    const [first, name = '', ...rest] = args
    const isAsked = first === 'help' && name !== ''
    const isKnown = program.commands.some((command) => command.name() === name)
    const asked = isAsked ? [name, ...(isKnown ? ['--help'] : []), ...rest] : args
    await program.parseAsync(asked, { from: 'user' })
    return code
  } catch (error) {
    return reportError(error, context)
  }
}

function createProgram(context: CommandContext, end: (code: ExitCode) => void): Command {
  const { stdout, stderr, env } = context
  const program = new Command('webhook-receiver')
    .optionsGroup('General:')
    .version(VERSION, '-v, --version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // It repeats what was typed.
      writeErr: (text) => stderr.write(printableLines(text)),
      outputError: (text) => writeError(printableLines(reworded(text)), context),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      getOutHasColors: () => isColoured(stdout, env),
      getErrHasColors: () => isColoured(stderr, env),
    })
  let overview = 'Usage: webhook-receiver <command> [options]\n\n'
  for (const [group, commands] of Object.entries(COMMANDS)) {
    overview += `${group}\n`
    for (const make of commands) {
      const command = make(context, end)
        .copyInheritedSettings(program)
        .configureHelp({ minWidthToWrap: 30 })
      program.addCommand(command)
      const usage = command.usage()
      command.showHelpAfterError(
        `Usage: webhook-receiver ${command.name()} ${usage}\nOptions: webhook-receiver help ${command.name()}`,
      )
      rejectRepeatedOptions(command)
      const line = `  ${command.name()} ${usage.replace(/\[options\] ?/, '')}`
      overview += `${line.padEnd(29)}${command.summary()}\n`
    }
  }
  program.showHelpAfterError('Commands: webhook-receiver --help')
  return program.configureHelp({ formatHelp: () => overview + AFTER_COMMANDS })
}

/** The last of several values must not win in silence. */
function rejectRepeatedOptions(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    let given = 0
    command.on(`option:${option.name()}`, () => {
      given += 1
      if (given === 1 || option.isBoolean()) return
      const list = /names>$/.test(option.flags) ? ', with commas between the names' : ''
      throw new UsageError(`${option.long} is given more than once: use it once${list}.`)
    })
  }
}

/** Options and commands that somebody expects, and what there is instead. */
const ABSENT: Readonly<Record<string, string>> = {
  '--secret':
    'There is no --secret: other users of this machine could read it. Set WEBHOOK_SECRET, or use --secret-file.',
  '--api-key':
    'There is no --api-key: other users of this machine could read it. Set WEBHOOK_API_KEY, or use --api-key-file.',
  trigger: 'There is no command trigger. Use send.',
}

/** What Commander says, and how we say it. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^error: /, ''],
  [/\n\((Did you mean .+)\)/, ' $1'],
  [/^unknown (option|command) '(.*?)'\.?/s, 'There is no $1 $2.'],
  [/^missing required argument '(.*)'/, '<$1> is missing.'],
  [/^option '(\S+).*?' argument missing/, '$1 needs a value.'],
  [/^option '(\S+).*?' argument '.*' is invalid\. (?=")/s, '$1: '],
  [/^option '(\S+).*?' argument '(.*)' is invalid/s, '$1 "$2" is invalid'],
  [/^too many arguments for 'add'.*/, 'add takes one service. Run it once for each.'],
  [/^too many arguments for 'redrive'.*/, 'redrive takes one folder. Name the URL with --to.'],
  [/^too many arguments for 'listen'.*/, 'listen takes options only, such as --port or --forward.'],
  [/^too many arguments for '(.*)'\. Expected 0 arguments but got .*/, '$1 takes options only.'],
  [/^too many arguments for '(.*)'\. Expected (.*) but got (.*)\./, '$1 takes $2, but got $3.'],
]

function reworded(text: string): string {
  const [, word = ''] = /^error: unknown (?:option|command) '([\w-]+)/.exec(text) ?? []
  return ABSENT[word] ?? REWORDED.reduce((said, [theirs, ours]) => said.replace(theirs, ours), text)
}

/** Prints an error, without its stack where its message is for people. */
function reportError(error: unknown, context: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const code = error instanceof Interrupted ? 130 : error instanceof UsageError ? 2 : 1
  const isTold = code !== 1 || error instanceof Failure
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { stderr } = context
  if (code === 130) tell(stderr, messageOf(error))
  else if (isTold) writeError(messageOf(error), context)
  // Such as a full disk.
  else if (Object(error).syscall !== undefined) writeError(`${messageOf(error)}.`, context)
  else
    stderr.write(`This is a bug in webhook-receiver. Please report it.\n${printableLines(trace)}\n`)
  return code
}

function writeError(message: string, { stderr, env }: CommandContext): void {
  const red = paintFor(stderr, env)('red', 'error:')
  tell(stderr, `error: ${message}`, (line) => line.replace('error:', red))
}
