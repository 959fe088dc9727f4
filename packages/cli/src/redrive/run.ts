import type { Scheme, SchemeKind } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { sourceFor } from '@webhook-receiver/core/internal'
import { type Redriven, redrive } from '@webhook-receiver/quarantine'
import {
  type CommandContext,
  codeOf,
  type ExitCode,
  Failure,
  Interrupted,
  messageOf,
  type Paint,
  printable,
  shellWord,
} from '../console/index.ts'
import {
  flagsOf,
  readVerifier,
  type SigningOptions,
  signingFlags,
  targetAt,
} from '../options/index.ts'
import { deliverTo, WrongReceiver } from './deliver.ts'
import { SUCCESS, writeRedriven } from './report.ts'

export interface RedriveOptions extends SigningOptions {
  /** Where the deliveries are sent. `undefined`: they are only verified. */
  readonly to: URL | undefined
  readonly timeout: number
  readonly pace: number
  readonly tolerance?: number | undefined
  readonly clockOffset: number
}

/** Verifies what a folder holds, and sends it. `total` says how many files there are; without `paint`, JSON is asked for. */
export async function redriveAll(
  folder: string,
  { to, ...options }: RedriveOptions,
  { total, paint }: Pick<Reported, 'total' | 'paint'>,
  context: CommandContext,
): Promise<ExitCode> {
  const { stderr, signal } = context
  const { secrets, ...verifier } = await readVerifier(options, context)
  const { scheme } = verifier
  if (to) targetAt(to, scheme)
  const print = (text: string) => stderr.write(`${text}\n`)
  const deliver =
    to && deliverTo(to, { ...options, ...context, ...verifier, secret: secrets, print })
  const { tolerance, clockOffset } = options
  const rules = { ...verifier, secret: sourceFor(scheme, secrets), clockOffset, deliver, signal }
  const redriven = redrive<NoSchemas, never, SchemeKind>(folder, rules)
  // What another command is given to do the same.
  const same = `${shellWord(folder)}${signingFlags(options)}`
  const { exit, deliverable } = await report(redriven, { total, scheme, paint, same }, context)
  if (!to && paint && deliverable > 0) {
    const what = deliverable === 1 ? 'it' : 'them'
    const window = flagsOf({ tolerance, 'clock-offset': clockOffset || undefined })
    stderr.write(
      `Send ${what}: npx webhook-receiver redrive ${same}${window} --to URL --has-store\n  If the receiver has no store, use --may-run-twice instead.\n`,
    )
  }
  return exit
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
