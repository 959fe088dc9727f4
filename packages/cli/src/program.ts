import { readFileSync } from 'node:fs'
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import {
  type CommandContext,
  type ExitCode,
  Failure,
  Interrupted,
  isColoured,
  printableLines,
  UsageError,
} from './console/index.ts'
import { doctorCommand } from './doctor/command.ts'
import { emulateCommand } from './emulate/command.ts'
import { listenCommand } from './listen/command.ts'
import { GENERAL_OPTIONS, type MakeCommand } from './options/index.ts'
import { redriveCommand } from './redrive/command.ts'
import { registerCommand } from './register/command.ts'
import { replayCommand } from './replay/command.ts'
import { schemesCommand } from './schemes/command.ts'
import { sendCommand } from './send/command.ts'
import { verifyCommand } from './verify/command.ts'

const COMMANDS: readonly MakeCommand[] = [
  emulateCommand,
  sendCommand,
  listenCommand,
  replayCommand,
  verifyCommand,
  schemesCommand,
  redriveCommand,
  registerCommand,
  doctorCommand,
]

const EXIT_CODES = `
Exit codes: 0 success; 1 a check failed or a request was rejected;
2 the command line is invalid; 130 interrupted by Ctrl-C.
Secrets and API keys come from WEBHOOK_SECRET and WEBHOOK_API_KEY, from files, or from a prompt.`

/** Runs one command line. Resolves to its exit code, with everything said that there is to say. */
export async function run(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = 0
  const program = createProgram(context, (ended) => {
    code = ended
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return reportError(error, context)
  }
}

function createProgram(context: CommandContext, end: (code: ExitCode) => void): Command {
  const { stdout, stderr, env } = context
  const program = new Command('webhook-receiver')
    .description('Register webhooks, and send, receive, replay and verify signed deliveries.')
    .optionsGroup(GENERAL_OPTIONS)
    .version(version(), '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // It repeats what was typed.
      writeErr: (text) => stderr.write(printableLines(text)),
      outputError: (text, write) => {
        const [, flag = ''] = /^error: unknown option '(--[\w-]+)/.exec(text) ?? []
        write(ABSENT[flag] ? `${ABSENT[flag]}\n` : text)
      },
      getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 100),
      getOutHasColors: () => isColoured(stdout, env),
      getErrHasColors: () => isColoured(stderr, env),
    })
  for (const make of COMMANDS) {
    const command = make(context, end).copyInheritedSettings(program)
    program.addCommand(command)
    command.showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}`)
    rejectRepeatedOptions(command)
  }
  return program
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

/** Options that somebody expects, and what there is in their place. */
const ABSENT: Readonly<Record<string, string>> = {
  '--secret':
    'There is no --secret: other users of this machine could read it. Set WEBHOOK_SECRET, or use --secret-file.',
  '--api-key':
    'There is no --api-key: other users of this machine could read it. Set WEBHOOK_API_KEY, or use --api-key-file.',
}

/** Prints an error, without its stack where its message is for people. */
function reportError(error: unknown, { stderr }: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Interrupted) return print(130, error)
  if (error instanceof UsageError) return print(2, error)
  if (error instanceof Failure) return print(1, error)
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  stderr.write(`This is a bug in webhook-receiver. Please report it.\n${printableLines(trace)}\n`)
  return 1

  function print(code: ExitCode, { message }: Error): ExitCode {
    stderr.write(`${printableLines(message)}\n`)
    return code
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
