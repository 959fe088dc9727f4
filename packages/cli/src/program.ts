import { readFileSync } from 'node:fs'
import { Command, CommanderError } from '@commander-js/extra-typings'
import { isColoured } from './colour.ts'
import { GENERAL_OPTIONS, type MakeCommand } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { doctorCommand } from './doctor/command.ts'
import { emulateCommand } from './emulate/command.ts'
import { type ExitCode, Failure, Interrupted, UsageError } from './failure.ts'
import { listenCommand } from './listen/command.ts'
import { printableLines } from './printable.ts'
import { redriveCommand } from './redrive/command.ts'
import { registerCommand } from './register/command.ts'
import { replayCommand } from './replay/command.ts'
import { sendCommand } from './send/command.ts'
import { verifyCommand } from './verify/command.ts'

const COMMANDS: readonly MakeCommand[] = [
  emulateCommand,
  sendCommand,
  listenCommand,
  replayCommand,
  verifyCommand,
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
      getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 100),
      getOutHasColors: () => isColoured(stdout, env),
      getErrHasColors: () => isColoured(stderr, env),
    })
  for (const make of COMMANDS) {
    program.addCommand(make(context, end).copyInheritedSettings(program))
  }
  return program
}

/** Prints an error, without its stack where its message is for people. */
function reportError(error: unknown, { stderr }: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Interrupted) return print(130, error)
  if (error instanceof UsageError) return print(2, error)
  if (error instanceof Failure) return print(1, error)
  stderr.write(`This is a bug in webhook-receiver. Please report it.\n`)
  stderr.write(`${printableLines(trace(error))}\n`)
  return 1

  function print(code: ExitCode, { message }: Error): ExitCode {
    stderr.write(`${printableLines(message)}\n`)
    return code
  }
}

function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
