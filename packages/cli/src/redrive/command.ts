import type { SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { type Redriven, redrive } from '@webhook-receiver/quarantine'
import { dropKept, listKept, openKept } from '@webhook-receiver/quarantine/internal'
import {
  type CommandContext,
  codeOf,
  type ExitCode,
  Failure,
  Interrupted,
  messageOf,
  type Paint,
  type Progress,
  paintFor,
  printable,
  progressOn,
  UsageError,
} from '../console/index.ts'
import {
  checkReceiver,
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  names,
  newCommand,
  offset,
  positive,
  readScheme,
  readSecrets,
  receiverUrl,
  SCHEME_FLAGS,
  SCHEME_OPTIONS,
  SECRET_FLAGS,
  SECRET_OPTIONS,
  tolerance,
} from '../options/index.ts'
import { deliverTo, WrongReceiver } from './deliver.ts'
import { writeListed, writeRedriven, writeShown } from './report.ts'

const EXAMPLES = [
  'redrive ./quarantine --dry-run',
  'redrive ./quarantine --to http://localhost:3000/webhooks --has-store',
  'redrive ./quarantine --drop',
]

/** `redrive`: what a quarantine kept, verified and sent to the receiver. */
export const redriveCommand: MakeCommand = (context, end) =>
  newCommand('redrive', 'send the deliveries in a quarantine to the receiver', EXAMPLES)
    .argument('<folder>', 'the folder of the quarantine')
    .optionsGroup('What to do:')
    .option(
      '--to <url>',
      'send all deliveries to this URL, signed again where their time is signed. For a service that signs the URL: an origin, where each delivery goes to the path and query that it was sent to',
      receiverUrl,
    )
    .option('--dry-run', 'verify only: send and remove nothing')
    .option('--list', 'list what is in the folder, without a secret')
    .option('--show <file>', 'show one request of the folder, without a secret')
    .option('--drop', 'remove everything that is in the folder, without a secret')
    .optionsGroup('With --to:')
    .option('--has-store', 'the receiver has a store, so it handles no delivery twice')
    .option('--may-run-twice', 'it has none: a delivery may be handled twice')
    .option('--timeout <seconds>', 'how long to wait for each response', positive(3600), 30)
    .optionsGroup('Verification:')
    .option(
      '--tolerance <seconds>',
      'accepted difference between the timestamp and the time of arrival (default: 300; with --scheme, what its service documents)',
      tolerance,
    )
    .option(
      '--clock-offset <seconds>',
      'how far the clock of the receiver was behind at the arrival; negative if it was ahead',
      offset,
      0,
    )
    .optionsGroup(SCHEME_OPTIONS)
    .option(...SCHEME_FLAGS.scheme)
    .option(...SCHEME_FLAGS.publicUrl)
    .optionsGroup(SECRET_OPTIONS)
    .option(...SECRET_FLAGS.file)
    .option(...SECRET_FLAGS.envs, names)
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (folder, { to, dryRun, list, show, drop, json, ...options }) => {
      const { stdout, stderr, env } = context
      if ([to, dryRun, list, show, drop].filter((asked) => asked !== undefined).length !== 1) {
        throw new UsageError(
          'Choose one of --to <url>, --dry-run, --list, --show <file> and --drop.',
        )
      }
      if (to && options.hasStore === options.mayRunTwice) {
        throw new UsageError(
          'If redrive is interrupted, it may send a delivery twice. Add --has-store if the receiver has a store, or --may-run-twice.',
        )
      }
      const files = await listKept(folder).catch((error: unknown) => {
        throw new UsageError(`Cannot read the folder: ${printable(messageOf(error))}.`)
      })
      const paint = json ? undefined : paintFor(stdout, env)
      if (show !== undefined) {
        // Not a path that leads out of the folder.
        if (!files.includes(show)) throw new UsageError('--show takes a name that --list prints.')
        writeShown(await openKept(folder, show).catch(fail), context)
      } else if (list) {
        let unreadable = 0
        for (const file of files) {
          const request = await openKept(folder, file).catch((error: unknown) => {
            unreadable += 1
            stderr.write(`${printable(`${file}: ${messageOf(error)}`)}\n`)
          })
          if (request) writeListed(file, request, context, paint)
        }
        stderr.write(`${files.length} in the folder.\n`)
        if (unreadable > 0) return end(1)
      } else if (drop) {
        for (const file of files) await dropKept(folder, file).catch(fail)
        stderr.write(`${files.length} removed.\n`)
      } else {
        const { tolerance, clockOffset } = options
        const chosen = await readScheme(options)
        if (to && chosen.scheme.signsUrl && `${to.pathname}${to.search}` !== '/') {
          throw new UsageError(
            `--to should be an origin, such as ${to.origin}: ${chosen.scheme.name} signs the URL, so each delivery goes to the path and query that it was sent to.`,
          )
        }
        const secret = await readSecrets(options, context)
        checkReceiver(secret, { ...chosen, tolerance })
        const progress = progressOn(stderr)
        const tell = (text: string) => {
          progress.clear()
          stderr.write(`${text}\n`)
        }
        const deliver = to && deliverTo(to, { ...options, ...context, ...chosen, secret, tell })
        const { signal } = context
        const rules = { ...chosen, secret, tolerance, clockOffset, deliver, signal }
        const redriven = redrive<NoSchemas, never, SchemeKind>(folder, rules)
        return end(await report(redriven, files.length, { ...context, progress }, paint))
      }
      end(0)
    })

/** 0 if all that has a valid signature was delivered, or could be. */
async function report(
  results: AsyncIterable<Redriven>,
  total: number,
  context: CommandContext & { readonly progress: Progress },
  paint: Paint | undefined,
): Promise<ExitCode> {
  const { stdout, stderr, signal, progress } = context
  const counts = new Map<string, number>()
  let left = total
  const summary = () => {
    const parts = [...counts].map(([outcome, count]) => `${count} ${outcome}`)
    return `${total} in the folder: ${parts.join(', ') || 'nothing was done'}.`
  }
  const stopped = (error: unknown) =>
    `Stopped, so that no delivery overtakes another: ${messageOf(error)}. Run this again for the ${left} that are left.`
  let valid = 0
  let successful = 0
  try {
    for await (const redriven of results) {
      const { outcome, request, reason, error } = redriven
      progress.clear()
      writeRedriven(redriven, context, paint)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (outcome !== 'postponed') left -= 1
      if (request && !reason?.startsWith('signature_')) valid += 1
      if (SUCCESS.includes(outcome)) successful += 1
      // The responses to all others would be the same, and what is rejected would go into the quarantine again.
      if (error instanceof WrongReceiver) throw new Failure(`${error.message} ${summary()}`)
      if (signal.aborted) throw new Interrupted(summary())
      if (outcome === 'postponed') throw new Failure(`${stopped(error)} ${summary()}`)
      // On a terminal the lines themselves show it.
      if (!stdout.isTTY) progress.update(summary())
    }
  } catch (error) {
    if (codeOf(error) !== undefined) fail(error)
    throw error
  } finally {
    progress.clear()
  }
  stderr.write(`${summary()}\n`)
  if (counts.size > 0 && valid === 0) throw new Failure(NO_MATCH)
  return valid === successful && !counts.has('unreadable') ? 0 : 1
}

const SUCCESS: readonly string[] = ['delivered', 'duplicate', 'deliverable']

const NO_MATCH =
  'No request has a valid signature with this secret: all of them are forged, or the secret is wrong.'

/** A file that cannot be read or removed. */
function fail(error: unknown): never {
  throw new Failure(`${printable(messageOf(error))}.`)
}
