import { DEFAULTS } from '@webhook-receiver/core'
import type { NamedCapture } from '../capture-files.ts'
import type { Paint } from '../colour.ts'
import type { CommandContext, Output } from '../command-context.ts'
import { printable, writeJson } from '../printable.ts'
import { type Answer, isAccepted, omittedHeaders } from '../send-request.ts'

/** A capture, and the result of sending it. */
export type Replayed =
  | { readonly capture: NamedCapture; readonly answer: Answer }
  /** It was not sent. */
  | { readonly path: string; readonly problem: string }

/** The results of all captures. */
export interface ReplayTally {
  sent: number
  accepted: number
  unsent: number
  /** Refused with 401, and signed so long ago that this is a likely reason. */
  outdated: number
  /** The names of headers that were not sent. */
  readonly omitted: Set<string>
}

export function emptyTally(): ReplayTally {
  return { sent: 0, accepted: 0, unsent: 0, outdated: 0, omitted: new Set() }
}

export function count(tally: ReplayTally, replayed: Replayed, now: number): void {
  if ('problem' in replayed) {
    tally.unsent += 1
    return
  }
  const { capture, answer } = replayed
  tally.sent += 1
  if (isAccepted(answer)) tally.accepted += 1
  const age = now - capture.receivedAt
  if (answer.status === 401 && age > DEFAULTS.tolerance * 1000) tally.outdated += 1
  for (const name of omittedHeaders(capture.headers)) tally.omitted.add(name)
}

/** One line; JSON where there is no paint. */
export function writeReplayed(
  replayed: Replayed,
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  paint: Paint | undefined,
): void {
  if ('problem' in replayed) {
    const { path, problem } = replayed
    if (paint) stderr.write(`${printable(problem)} It was not sent.\n`)
    else writeJson(stdout, { capture: path, sent: false, status: null, error: problem })
    return
  }
  const { capture, answer } = replayed
  const { status = null, error, duration } = answer
  if (paint === undefined) {
    const omitted = omittedHeaders(capture.headers)
    writeJson(stdout, {
      capture: capture.path,
      sent: true,
      received_at: new Date(capture.receivedAt).toISOString(),
      ...(omitted.length > 0 && { left_out: omitted }),
      status,
      ...(error !== undefined && { error }),
      milliseconds: duration,
    })
    return
  }
  const outcome = status === null ? `no answer (${printable(error ?? '')})` : String(status)
  const style = isAccepted(answer) ? 'green' : 'red'
  stdout.write(`${paint(style, outcome)}  ${duration} ms  ${printable(capture.path)}\n`)
}

/** How many were accepted, what was left out, and what to do about old ones that were not accepted. */
export function writeSummary(
  { sent, accepted, unsent, outdated, omitted }: ReplayTally,
  { resigned }: { readonly resigned: boolean },
  stderr: Output,
): void {
  const rest = unsent > 0 ? `, ${unsent} not sent` : ''
  stderr.write(`${sent} sent, ${accepted} accepted${rest}.\n`)
  if (omitted.size > 0) {
    const names = printable([...omitted].join(', '))
    stderr.write(`Headers that belong to the original connection were not sent: ${names}.\n`)
  }
  if (!resigned && outdated > 0) {
    stderr.write(
      'Some deliveries were signed more than 5 minutes ago, and a receiver rejects old timestamps. Add --resign.\n',
    )
  }
}
