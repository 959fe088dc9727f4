import type { Attempt, DeliveryReport, Emulator } from '@webhook-receiver/emulator'
import { outcomeOf, tamperingOf } from '@webhook-receiver/emulator/internal'
import {
  beside,
  type CommandContext,
  counted,
  createPace,
  eventColumn,
  isMissing,
  noResponse,
  paintFor,
  progressOn,
  serverAdvice,
  shortId,
  tell,
  wallClock,
  wrap,
  writeJson,
} from '../console/index.ts'
import { notChecked } from '../signing/not-checked.ts'
import { isForgedRejected, provesNothing, Tally } from './tally.ts'

/**
 * Shows what an emulator does: JSON lines where they are asked for, else a line for each request, above 20 a second for failures only;
 * on a terminal the totals are below. `repair` is said as soon as a valid delivery gets 401, and `howToFix` of a receiver that accepts
 * forged requests. The function that is returned prints the summary with how many events were not sent, and says whether the receiver accepted every
 * valid delivery and no other.
 */
export function display(
  emulator: Emulator<string>,
  {
    json,
    scheme,
    repair,
    howToFix,
  }: {
    readonly json: true | undefined
    readonly scheme: string
    readonly repair: readonly string[]
    readonly howToFix: (url: string) => readonly string[]
  },
  { stdout, stderr, env, now, signal }: CommandContext,
): (unsent: number) => boolean {
  const tally = new Tally()
  /** What was advised: each advice stands below the first request that it is about. */
  const advised = new Set<string>()
  /** The receiver that accepted a forged request. */
  let trusting = ''
  const paint = paintFor(stdout, env)
  const progress = progressOn(stdout)
  const pace = createPace(now)

  /** A line with its notes, or above them, and below it why there was no response. */
  function attemptLines(attempt: Attempt, { event, id }: DeliveryReport): readonly string[] {
    const { at, number, fault, status, error, duration, wronglyAccepted } = attempt
    const time = wallClock(at)
    const isForged = tamperingOf(fault) !== undefined
    const isUnproven = provesNothing(attempt)
    const isRejected = isForgedRejected(attempt)
    const isAccepted = status !== undefined && status < 300
    // A delayed delivery may have become too old.
    const isRight = isForged ? isRejected : isAccepted || (fault === 'delay' && status === 401)
    const took = `${Math.round(duration * 1000)} ms`.padStart(7)
    const mark = isRight ? '✓' : '✗'
    const result = [
      wronglyAccepted && 'accepted',
      isRejected && 'rejected, as expected',
      isUnproven && (isMissing(status) ? 'proves nothing' : 'expected 4xx'),
    ]
    const notes = [number > 1 && `#${number}`, [fault, ...result].filter(Boolean).join(': ')]
    const line = `${paint('gray', time)}  ${paint(isRight ? 'green' : 'red', `${mark} ${status ?? '---'}`)}  ${eventColumn(event)} ${took}  ${shortId(id)}`
    return [
      ...beside(line, notes.filter(Boolean).join(' '), stdout),
      ...(status === undefined ? wrap(noResponse(error), 2) : []),
      ...(isForged || isRight || fault === 'drop' ? [] : adviceLines(attempt)),
    ]
  }

  function adviceLines({ status, error }: Attempt): readonly string[] {
    // What repairs a 401 is said on standard error.
    const advice =
      status === 401
        ? ''
        : outcomeOf(status, scheme) === 'rejected'
          ? 'Your server ended the subscription (410 Gone): nothing more is sent to it.'
          : serverAdvice(status, { error })
    if (advice === '' || advised.has(advice)) return []
    advised.add(advice)
    return wrap(advice, 2)
  }

  emulator.on('attempt', (attempt, report) => {
    const { status, error, wronglyAccepted, fault, at, number, duration } = attempt
    const { id, event, url } = report
    if (wronglyAccepted) trusting = url
    const isOtherSecret = tally.addAttempt(attempt)
    if (json) {
      writeJson(stdout, {
        type: 'attempt',
        at: new Date(at).toISOString(),
        ...{ id, event, url, request: number, fault },
        status: status ?? null,
        error,
        wrongly_accepted: wronglyAccepted || undefined,
        milliseconds: Math.round(duration * 1000),
      })
    } else {
      progress.clear()
      const isFailure = (status === undefined || status >= 300) && fault === undefined
      const shown = pace(wronglyAccepted || isFailure)
      // What Ctrl-C has cut off is no fault of the receiver.
      const isCut = status === undefined && signal.aborted
      if (shown === 'line' && !isCut) stdout.write(`${attemptLines(attempt, report).join('\n')}\n`)
      if (shown === 'totals') stdout.write(`More than 20 a second: ${tally}\n`)
      progress.update(`${tally}`)
    }
    if (isOtherSecret) stderr.write(`${repair.join('\n')}\n`)
  })
  emulator.on('delivery', ({ outcome }) => {
    if (outcome !== 'pending') tally.addDelivery(outcome)
  })
  return (unsent) => {
    progress.clear()
    const rest = unsent > 0 ? `, ${counted(unsent, 'event')} not sent` : ''
    if (json) writeJson(stdout, { type: 'summary', seed: emulator.seed, ...tally.counts, unsent })
    else stdout.write(`${tally}${rest}.\n`)
    const { wrongly_accepted, forged_unproven } = tally.counts
    if (wrongly_accepted > 0) {
      const missing = notChecked([...tally.accepted])
      tell(stderr, `The receiver accepts forged requests. It does not check ${missing}.`)
      stderr.write(`${howToFix(trusting).join('\n')}\n`)
    }
    if (forged_unproven > 0) {
      tell(
        stderr,
        `${counted(forged_unproven, 'forged request')} got no 4xx, or one that proves nothing (404, 405). Your server should reject each with 401.`,
      )
    }
    return tally.isRight
  }
}
