import { CommanderError } from '@commander-js/extra-typings'
import {
  type CommandContext,
  type ExitCode,
  Failure,
  Interrupted,
  messageOf,
  paintFor,
  printableLines,
  tell,
  UsageError,
  writeJson,
} from './console/index.ts'

/** Options and commands that somebody expects, and what there is instead. */
const ABSENT: Readonly<Record<string, string>> = {
  '--secret':
    'There is no --secret: other users of this machine could read it. Set WEBHOOK_SECRET, or use --secret-file.',
  '--api-key':
    'There is no --api-key: other users of this machine could read it. Set WEBHOOK_API_KEY, or use --api-key-file.',
  login: 'There is no command login, because nothing here needs an account.',
  secret:
    'There is no command secret. Your service shows the secret; add makes one up to begin with.',
}

/** Names of commands that somebody expects, and what does that here. */
const INSTEAD: Readonly<Record<string, string>> = {
  forward: 'listen --forward <url>',
  init: 'add',
  list: 'schemes',
  serve: 'listen',
  services: 'schemes',
  sign: 'send',
  test: 'send',
  trigger: 'send',
  tunnel: 'listen --forward <url>',
  ui: 'listen --ui',
  version: '--version',
}

/** What to do where an argument is missing. */
const MISSING: Readonly<Record<string, string>> = {
  url: 'Name the URL of your receiver, such as localhost:3000/webhooks.',
  folder: 'Name the folder of the quarantine.',
  capture: 'Name one or more captures.',
  service: 'Name the service, such as telnyx.',
}

/** What Commander says, and how we say it. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^error: /, ''],
  [/\n\((Did you mean .+)\)/, ' $1'],
  [/^unknown (option|command) '(.*?)'\.?/s, 'There is no $1 $2.'],
  ...Object.entries(MISSING).map(
    ([name, todo]) => [new RegExp(`^missing required argument '${name}'`), todo] as const,
  ),
  [/^missing required argument '(.*)'/, '<$1> is missing.'],
  [/^option '(\S+).*?' argument missing/, '$1 needs a value.'],
  [/^option '(\S+).*?' argument '.*' is invalid\. (?=")/s, '$1: '],
  [/^option '(\S+).*?' argument '(.*)' is invalid/s, '$1 "$2" is invalid'],
  [/^too many arguments for 'add'.*/, 'add takes one service. Run it once for each.'],
  [/^too many arguments for 'redrive'.*/, 'redrive takes one folder. Name the URL with --to.'],
  [
    /^too many arguments for 'listen'.*/,
    'listen takes options only. Name a service with --scheme, and your server with --forward.',
  ],
  [
    /^too many arguments for 'emulate'.*/,
    'emulate takes options only. Name a service with --scheme, and your server with --forward.',
  ],
  [/^too many arguments for '(.*)'\. Expected 0 arguments but got .*/, '$1 takes options only.'],
  [/^too many arguments for '(.*)'\. Expected (.*) but got (.*)\./, '$1 takes $2, but got $3.'],
]

/** An error of Commander in our words. `flags` are the options of the command. */
export function reworded(text: string, flags: readonly (string | undefined)[] = []): string {
  const [, word = '', value] = /^error: unknown (?:option|command) '([\w-]+)(=)?/.exec(text) ?? []
  if (value && flags.includes(word)) return `${word} takes no value.`
  if (word === '-p' && flags.includes('--port')) return 'There is no option -p. Use --port.'
  if (Object.hasOwn(ABSENT, word)) return ABSENT[word] ?? ''
  if (Object.hasOwn(INSTEAD, word)) return `There is no command ${word}. Use ${INSTEAD[word]}.`
  const said = REWORDED.reduce((words, [theirs, ours]) => words.replace(theirs, ours), text)
  // Commander only suggests what is spelt alike.
  const begun = flags.filter((flag) => word.length > 3 && flag?.startsWith(word))
  return begun.length === 1 && !said.includes('Did you mean')
    ? `${said} Did you mean ${begun[0]}?`
    : said
}

/** Prints an error, without its stack where its message is for people. */
export function reportError(error: unknown, context: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const code = error instanceof Interrupted ? 130 : error instanceof UsageError ? 2 : 1
  const isTold = code !== 1 || error instanceof Failure
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { stderr } = context
  if (code === 130) tell(stderr, messageOf(error))
  else if (isTold) writeError(messageOf(error), context)
  // Such as a full disk.
  else if (Object(error).syscall !== undefined) writeError(`${messageOf(error)}.`, context)
  else {
    writeErrorJson(messageOf(error), context)
    stderr.write(`This is a bug in webhook-receiver. Please report it.\n${printableLines(trace)}\n`)
  }
  return code
}

export function writeError(message: string, context: CommandContext): void {
  const { stderr, env } = context
  writeErrorJson(message, context)
  const red = paintFor(stderr, env)('red', 'error:')
  tell(stderr, `error: ${message}`, (line) => line.replace('error:', red))
}

/** For whoever reads standard output alone. */
function writeErrorJson(error: string, { stdout, args = [] }: CommandContext): void {
  if (args.includes('--json')) writeJson(stdout, { error: error.trim() })
}
