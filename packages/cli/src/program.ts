import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { SITE, VERSION } from '@webhook-receiver/core/internal'
import { addCommand } from './add/command.ts'
import {
  type CommandContext,
  type ExitCode,
  isColoured,
  OperandError,
  printableLines,
  UsageError,
  widthOf,
} from './console/index.ts'
import { doctorCommand } from './doctor/command.ts'
import { emulateCommand } from './emulate/command.ts'
import { reportError, reworded, writeError } from './errors.ts'
import { inboxCommand } from './inbox/command.ts'
import { inspectCommand } from './inspect/command.ts'
import { keysCommand } from './keys/command.ts'
import { listenCommand } from './listen/command.ts'
import { allSchemes, EXIT_CODES, isNamed, type MakeCommand } from './options/index.ts'
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
Documentation: ${SITE}
${EXIT_CODES}
`

/** Runs one command line. Resolves to its exit code, with everything said that there is to say. */
export async function run(args: readonly string[], given: CommandContext): Promise<ExitCode> {
  const context = { ...given, args }
  let code: ExitCode = 0
  const program = createProgram(context, (ended) => {
    code = ended
  })
  let command: CommandUnknownOpts | undefined
  try {
    // With a name that does not exist, the command `help` of Commander shows the overview.
    const [first, name = '', ...rest] = args
    const isAsked = first === 'help' && name !== ''
    const isKnown = program.commands.some((known) => known.name() === name)
    const asked = isAsked ? [name, ...(isKnown ? ['--help'] : []), ...rest] : args
    command = program.commands.find((known) => known.name() === asked[0])
    await rejectService(asked[0] ?? '', program)
    await program.parseAsync(asked, { from: 'user' })
    return code
  } catch (error) {
    const failed = reportError(error, context)
    if (command && error instanceof OperandError) context.stderr.write(`${usageOf(command)}\n`)
    return failed
  }
}

function usageOf(command: CommandUnknownOpts): string {
  const name = command.name()
  return `Usage: webhook-receiver ${name} ${command.usage()}\nOptions: webhook-receiver help ${name}`
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
      const flags = command.options.map(({ long }) => long)
      command.configureOutput({
        outputError: (text) => writeError(printableLines(reworded(text, flags)), context),
      })
      program.addCommand(command)
      command.showHelpAfterError(usageOf(command))
      rejectRepeatedOptions(command)
      const line = `  ${command.name()} ${command.usage().replace(/\[options\] ?/, '')}`
      overview += `${line.padEnd(29)}${command.summary()}\n`
    }
  }
  program.showHelpAfterError('Commands: webhook-receiver --help')
  return program.configureHelp({ formatHelp: () => overview + AFTER_COMMANDS })
}

/** @throws UsageError for the name of a service where a command should be. */
async function rejectService(name: string, { commands }: Command): Promise<void> {
  if (!/^[a-z]/i.test(name) || commands.some((command) => command.name() === name)) return
  if (!(await allSchemes()).some((each) => isNamed(each, name))) return
  throw new UsageError(
    `There is no command ${name}. Use add ${name}, or --scheme ${name} with send or listen.`,
  )
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
