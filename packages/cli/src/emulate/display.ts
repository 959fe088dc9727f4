import type { Attempt, DeliveryReport, Emulator } from '@webhook-receiver/emulator'
import { MISTAKES, tamperingOf } from '@webhook-receiver/emulator/internal'
import {
  type CommandContext,
  counted,
  createPace,
  eventColumn,
  isMissing,
  noResponse,
  paintFor,
  progressOn,
  serverAdvice,
  tell,
  wrap,
  writeJson,
} from '../console/index.ts'

/** Faults to which a receiver responds with 401. */
const FORGED: readonly unknown[] = [
  ...['tamper', 'alter', 'wrong-secret', 'stale', 'future', 'delay'],
  ...MISTAKES,
]

/** What a receiver does not check that accepts one of these. */
const CHECKS: Readonly<Record<string, string>> = {
  tamper: 'the body against the signature',
  alter: 'the body against the signature',
  'wrong-secret': 'the signature',
  stale: 'the age of the timestamp',
  future: 'the age of the timestamp',
  delay: 'the age of the timestamp',
}

const OUTCOMES = {
  delivered: 'delivered',
  rejected: 'rejected',
  exhausted: 'given up',
  stopped: 'stopped',
}

/**
 * Shows what an emulator does: JSON lines where they are asked for, else a line for each request, above 20 a second for failures only;
 * on a terminal the totals are below. `repair` is said as soon as a valid delivery gets 401. The function that is returned prints the
 * summary, and says whether the receiver accepted every valid delivery and no other.
 */
export function display(
  emulator: Emulator<string>,
  json: true | undefined,
  repair: readonly string[],
  { stdout, stderr, env, now }: CommandContext,
): () => boolean {
  const outcomes = { delivered: 0, rejected: 0, exhausted: 0, stopped: 0 }
  const tally = {
    ...{ deliveries: 0, ...outcomes, requests: 0 },
    ...{ forged_rejected: 0, forged_unproven: 0, wrongly_accepted: 0, unauthorized: 0 },
  }
  /** The faults that were wrongly accepted. */
  const accepted = new Set<string>()
  /** What was advised: each advice stands below the first request that it is about. */
  const advised = new Set<string>()
  const paint = paintFor(stdout, env)
  const progress = progressOn(stdout)
  const pace = createPace(now)

  function totals(): string {
    const { deliveries, requests, forged_rejected, wrongly_accepted } = tally
    return [
      `${counted(deliveries, 'delivery', 'deliveries')} in ${counted(requests, 'request')}`,
      ...(['delivered', 'rejected', 'exhausted', 'stopped'] as const).flatMap((outcome) =>
        tally[outcome] > 0 ? [`${tally[outcome]} ${OUTCOMES[outcome]}`] : [],
      ),
      ...(forged_rejected > 0 ? [`${counted(forged_rejected, 'forged request')} rejected`] : []),
      ...(wrongly_accepted > 0 ? [`${counted(wrongly_accepted, 'forged request')} accepted`] : []),
    ].join(', ')
  }

  /** A line of at most 80 columns before its notes, and below it why there was no response. */
  function attemptLines(attempt: Attempt, { event, id }: DeliveryReport): readonly string[] {
    const { at, number, fault, status, error, duration, wronglyAccepted } = attempt
    const time = new Date(at).toISOString().slice(11, 19)
    const isForged = tamperingOf(fault) !== undefined
    const isUnproven = provesNothing(attempt)
    const isRejected = isForgedRejected(attempt)
    const isAccepted = status !== undefined && status < 300
    // A delayed delivery may have become too old.
    const isRight = isForged ? isRejected : isAccepted || (fault === 'delay' && status === 401)
    const took = `${Math.round(duration * 1000)} ms`.padStart(7)
    const mark = isRight ? '✓' : '✗'
    const notes = [
      number > 1 && `#${number}`,
      fault,
      wronglyAccepted && 'accepted',
      isRejected && 'rejected, as expected',
      isUnproven && (isMissing(status) ? 'proves nothing' : 'expected 4xx'),
    ]
    const line = `${paint('gray', time)}  ${paint(isRight ? 'green' : 'red', `${mark} ${status ?? '---'}`)}  ${eventColumn(event)} ${took}  ${id.slice(0, 8)}  ${notes.filter(Boolean).join(' ')}`
    return [
      line.trimEnd(),
      ...(status === undefined ? wrap(noResponse(error), 2) : []),
      ...(isForged || isRight || fault === 'drop' ? [] : adviceLines(attempt)),
    ]
  }

  function adviceLines({ status, error }: Attempt): readonly string[] {
    // What repairs a 401 is said on standard error.
    const advice = status === 401 ? '' : serverAdvice(status, { error })
    if (advice === '' || advised.has(advice)) return []
    advised.add(advice)
    return wrap(advice, 2)
  }

  emulator.on('attempt', (attempt, report) => {
    const { status, error, wronglyAccepted, fault, at, number, duration } = attempt
    const { id, event, url } = report
    tally.requests += 1
    if (wronglyAccepted) {
      tally.wrongly_accepted += 1
      accepted.add(String(fault))
    }
    if (isForgedRejected(attempt)) tally.forged_rejected += 1
    if (provesNothing(attempt)) tally.forged_unproven += 1
    const isOtherSecret = status === 401 && !FORGED.includes(fault)
    if (isOtherSecret) tally.unauthorized += 1
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
      if (shown === 'line') stdout.write(`${attemptLines(attempt, report).join('\n')}\n`)
      if (shown === 'totals') stdout.write(`More than 20 a second: ${totals()}\n`)
      progress.update(totals())
    }
    if (isOtherSecret && tally.unauthorized === 1) stderr.write(`${repair.join('\n')}\n`)
  })
  emulator.on('delivery', ({ outcome }) => {
    if (outcome === 'pending') return
    tally.deliveries += 1
    tally[outcome] += 1
  })
  return () => {
    progress.clear()
    if (json) writeJson(stdout, { type: 'summary', seed: emulator.seed, ...tally })
    else stdout.write(`${totals()}.\n`)
    const { rejected, exhausted, wrongly_accepted, forged_unproven } = tally
    if (!json && wrongly_accepted > 0) {
      const missing = [...new Set([...accepted].map((fault) => CHECKS[fault] ?? fault))]
      tell(
        stderr,
        `The receiver accepts forged requests. It does not check ${missing.join(' and ')}.`,
      )
    }
    if (!json && forged_unproven > 0) {
      tell(
        stderr,
        `${counted(forged_unproven, 'forged request')} got no 4xx, or one that proves nothing (404, 405). Your server should reject each with 401.`,
      )
    }
    return rejected + exhausted + wrongly_accepted + forged_unproven === 0
  }
}

/** Whether it was a forged request, which the receiver took for one. */
function isForgedRejected({ fault, status }: Attempt): boolean {
  const isRejected = status !== undefined && status >= 400 && status < 500 && !isMissing(status)
  return tamperingOf(fault) !== undefined && isRejected
}

/** Whether it was a forged request, which was neither accepted nor taken for one. */
function provesNothing(attempt: Attempt): boolean {
  const isForged = tamperingOf(attempt.fault) !== undefined
  return isForged && !attempt.wronglyAccepted && !isForgedRejected(attempt)
}
