import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listKept } from '@webhook-receiver/quarantine/internal'
import {
  type CommandContext,
  messageOf,
  paintFor,
  printable,
  UsageError,
} from '../console/index.ts'
import {
  type MakeCommand,
  newCommand,
  offset,
  positive,
  receiverUrl,
  signing,
  TIMEOUT,
  TOLERANCE,
} from '../options/index.ts'
import { listAll } from './list.ts'
import { redriveAll } from './run.ts'

const EXAMPLES = [
  'redrive quarantine --dry-run',
  'redrive quarantine --to localhost:3000/in --has-store',
]

/** `redrive`: what a quarantine kept, verified and sent to the receiver. */
export const redriveCommand: MakeCommand = (context, end) =>
  signing(
    newCommand('redrive', 'Send what a quarantine has kept to the receiver', EXAMPLES)
      .argument('<folder>', 'the folder of the quarantine')
      .optionsGroup('What to do:')
      .option(
        '--to <url>',
        'send all deliveries to this URL, signed again where their time is signed. For a service that signs the URL: an origin, where each delivery goes to the path and query that it was sent to',
        receiverUrl,
      )
      .option('--dry-run', 'verify only: send and remove nothing')
      .option('--list', 'list what is in the folder, without a secret')
      .optionsGroup('With --to:')
      .option('--has-store', 'the receiver has a store, so it handles no delivery twice')
      .option('--may-run-twice', 'the receiver has no store: a delivery may be handled twice')
      .option('--pace <number>', 'requests per second at most', positive(1000), 1000)
      .option(...TIMEOUT, 30)
      .optionsGroup('Verification:')
      .option(...TOLERANCE)
      .option(
        '--clock-offset <seconds>',
        'how far the clock of the receiver was behind at the arrival; negative if it was ahead',
        offset,
        0,
      ),
    { several: true },
  ).action(async (folder, { to, dryRun, list, json, ...options }) => {
    const { stdout, stderr, env } = context
    checkOptions({ to, dryRun, list, ...options }, stderr)
    const files = await listKept(folder).catch((error: unknown) => {
      throw new UsageError(`${printable(messageOf(error))}.`)
    })
    if (files.length === 0 && !existsSync(join(folder, 'trusted'))) {
      throw new UsageError(
        `${printable(folder)} is not the folder of a quarantine. What listen --save has saved is sent by replay.`,
      )
    }
    if (files.length === 0) {
      stderr.write('Nothing is in the quarantine.\n')
      return end(0)
    }
    const paint = json ? undefined : paintFor(stdout, env)
    if (list) return end(await listAll(folder, files, { scheme: options.scheme, paint }, context))
    end(await redriveAll(folder, { to, ...options }, { total: files.length, paint }, context))
  })

interface Asked {
  readonly to?: URL | undefined
  readonly dryRun?: true | undefined
  readonly list?: true | undefined
  readonly hasStore?: true | undefined
  readonly mayRunTwice?: true | undefined
}

/** @throws UsageError for options that do not belong together. */
function checkOptions(
  { to, dryRun, list, hasStore, mayRunTwice }: Asked,
  stderr: CommandContext['stderr'],
): void {
  if ([to, dryRun, list].filter((asked) => asked !== undefined).length !== 1) {
    throw new UsageError('Choose one of --to <url>, --dry-run and --list.')
  }
  if (hasStore && mayRunTwice) {
    throw new UsageError('Use --has-store or --may-run-twice, not both.')
  }
  if (to && !hasStore && !mayRunTwice) {
    throw new UsageError(
      'If redrive is interrupted, it may send a delivery twice. Add --has-store if the receiver has a store, or --may-run-twice.',
    )
  }
  if (!to && (hasStore || mayRunTwice)) {
    const flag = hasStore ? '--has-store' : '--may-run-twice'
    stderr.write(`${flag} is ignored without --to.\n`)
  }
}
