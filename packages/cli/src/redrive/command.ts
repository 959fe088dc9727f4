import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Scheme, SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { contract, sourceFor } from '@webhook-receiver/core/internal'
import { type Redriven, redrive } from '@webhook-receiver/quarantine'
import { listKept, openKept } from '@webhook-receiver/quarantine/internal'
import {
  type CommandContext,
  codeOf,
  type ExitCode,
  Failure,
  Interrupted,
  messageOf,
  type Paint,
  paintFor,
  printable,
  shellWord,
  UsageError,
} from '../console/index.ts'
import {
  allSchemes,
  findScheme,
  flagsOf,
  type MakeCommand,
  newCommand,
  offset,
  positive,
  readVerifier,
  receiverUrl,
  type SigningOptions,
  signing,
  signingFlags,
  TIMEOUT,
  TOLERANCE,
  targetAt,
} from '../options/index.ts'
import { deliverTo, WrongReceiver } from './deliver.ts'
import { SUCCESS, writeListed, writeRedriven } from './report.ts'

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
    const { stdout, stderr, env, signal } = context
    if ([to, dryRun, list].filter((asked) => asked !== undefined).length !== 1) {
      throw new UsageError('Choose one of --to <url>, --dry-run and --list.')
    }
    if (options.hasStore && options.mayRunTwice) {
      throw new UsageError('Use --has-store or --may-run-twice, not both.')
    }
    if (to && !options.hasStore && !options.mayRunTwice) {
      throw new UsageError(
        'If redrive is interrupted, it may send a delivery twice. Add --has-store if the receiver has a store, or --may-run-twice.',
      )
    }
    if (!to && (options.hasStore || options.mayRunTwice)) {
      const flag = options.hasStore ? '--has-store' : '--may-run-twice'
      stderr.write(`${flag} is ignored without --to.\n`)
    }
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
    if (list) {
      const given = options.scheme ? (await findScheme(options.scheme)).scheme : undefined
      const schemes = new Map((await allSchemes()).map((one) => [one.scheme.name, one.scheme]))
      let unreadable = 0
      for (const file of files) {
        const request = await openKept(folder, file).catch((error: unknown) => {
          unreadable += 1
          stderr.write(`${printable(`${file}: ${messageOf(error)}`)}\n`)
        })
        if (!request) continue
        // A receiver has the name of its scheme as endpoint, unless it has another.
        const scheme = given ?? schemes.get(`${request.endpoint}`) ?? contract
        writeListed(file, request, { scheme, paint }, context)
      }
      stderr.write(`${files.length} in the quarantine.\n`)
      return end(unreadable > 0 ? 1 : 0)
    }
    const { secrets, ...verifier } = await readVerifier(options, context)
    if (to) targetAt(to, verifier.scheme)
    const print = (text: string) => stderr.write(`${text}\n`)
    const deliver =
      to && deliverTo(to, { ...options, ...context, ...verifier, secret: secrets, print })
    const { clockOffset } = options
    const secret = sourceFor(verifier.scheme, secrets)
    const rules = { ...verifier, secret, clockOffset, deliver, signal }
    const redriven = redrive<NoSchemas, never, SchemeKind>(folder, rules)
    const { scheme } = verifier
    const same = argumentsOf(folder, options)
    const code = await report(redriven, { total: files.length, scheme, paint, same }, context)
    if (dryRun && paint && code.deliverable > 0) {
      const what = code.deliverable === 1 ? 'it' : 'them'
      const window = { tolerance: options.tolerance, 'clock-offset': clockOffset || undefined }
      stderr.write(
        `Send ${what}: npx webhook-receiver redrive ${same}${flagsOf(window)} --to URL --has-store\n  If the receiver has no store, use --may-run-twice instead.\n`,
      )
    }
    end(code.exit)
  })

/** The folder, service and secret of this command line, for another one. */
function argumentsOf(folder: string, options: SigningOptions): string {
  return `${shellWord(folder)}${signingFlags(options)}`
}

interface Reported {
  /** How many files there are. */
  readonly total: number
  readonly scheme: Scheme
  /** `undefined`: JSON is asked for. */
  readonly paint: Paint | undefined
  /** What another command is given to do the same. */
  readonly same: string
}

/** 0 if all that has a valid signature was delivered, or could be. */
async function report(
  results: AsyncIterable<Redriven>,
  { total, scheme, paint, same }: Reported,
  context: CommandContext,
): Promise<{ readonly exit: ExitCode; readonly deliverable: number }> {
  const { stderr, signal } = context
  const counts = new Map<string, number>()
  let left = total
  const summary = () => {
    const parts = [...counts].map(([outcome, count]) => `${count} ${outcome}`)
    const rest = left > 0 && !counts.has('postponed') ? [`${left} left`] : []
    const done = parts.length === 0 ? 'nothing was delivered' : [...parts, ...rest].join(', ')
    return `${total} in the quarantine: ${done}.`
  }
  const stopped = (error: unknown) =>
    `Stopped, so that no delivery overtakes another: ${messageOf(error)}. Run this again for ${left === 1 ? 'the one that is' : `the ${left} that are`} left.`
  let valid = 0
  let successful = 0
  try {
    for await (const redriven of results) {
      const { outcome, request, reason, error } = redriven
      if (error instanceof WrongReceiver) {
        // It is no fault of this file. The responses to all others would be the same, and what is rejected would go into the quarantine again.
        if (!paint) writeRedriven(redriven, { scheme, paint }, context)
        stderr.write(`${summary()}\n`)
        throw new Failure(error.message)
      }
      writeRedriven(redriven, { scheme, paint }, context)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (outcome !== 'postponed') left -= 1
      if (request && !reason?.startsWith('signature_')) valid += 1
      if (SUCCESS.includes(outcome)) successful += 1
      if (signal.aborted) throw new Interrupted(summary())
      if (outcome !== 'postponed') continue
      stderr.write(`${summary()}\n`)
      throw new Failure(stopped(error))
    }
  } catch (error) {
    // A file that cannot be read or removed.
    throw codeOf(error) === undefined ? error : new Failure(`${printable(messageOf(error))}.`)
  }
  stderr.write(`${summary()}\n`)
  if (counts.has('failed')) {
    stderr.write('What failed is kept: see the log of your server, and run this again.\n')
  }
  if (counts.has('rejected') && valid === 0) {
    throw new Failure(`${NO_MATCH} Find out: npx webhook-receiver verify ${same}`)
  }
  const exit = valid === successful && !counts.has('unreadable') ? 0 : 1
  return { exit, deliverable: counts.get('deliverable') ?? 0 }
}

const NO_MATCH =
  'No request has a valid signature with this secret: all of them are forged, or the secret is wrong.'
