import type { Scheme } from '@webhook-receiver/core'
import type { ReceivedResponse } from '@webhook-receiver/emulator/internal'
import type { NamedCapture } from '../captures/files.ts'
import {
  type CommandContext,
  noResponse,
  type Output,
  type Paint,
  printable,
  tell,
  writeJson,
} from '../console/index.ts'

/** A capture, and the result of sending it. */
export type Replayed =
  | { readonly capture: NamedCapture; readonly response: ReceivedResponse }
  /** It was not sent. */
  | { readonly path: string; readonly problem: string }

/** The results of all captures. */
export interface ReplayTally {
  sent: number
  accepted: number
  unsent: number
  /** Rejected with 401, and signed so long ago that this is a likely reason. */
  outdated: number
}

export function emptyTally(): ReplayTally {
  return { sent: 0, accepted: 0, unsent: 0, outdated: 0 }
}

export function count(
  tally: ReplayTally,
  replayed: Replayed,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): void {
  if ('problem' in replayed) {
    tally.unsent += 1
    return
  }
  const { capture, response } = replayed
  tally.sent += 1
  if (isAccepted(response)) tally.accepted += 1
  const isOld = now - capture.receivedAt > tolerance * 1000
  if (response.status === 401 && isOld) tally.outdated += 1
}

/** One line; JSON where there is no paint. */
export function writeReplayed(
  replayed: Replayed,
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  paint: Paint | undefined,
): void {
  if ('problem' in replayed) {
    const { path, problem } = replayed
    if (paint) tell(stderr, `${problem} It was not sent.`)
    else writeJson(stdout, { capture: path, sent: false, status: null, error: problem })
    return
  }
  const { capture, response } = replayed
  const { status = null, error } = response
  const milliseconds = Math.round(response.duration)
  if (paint === undefined) {
    writeJson(stdout, {
      capture: capture.path,
      sent: true,
      received_at: new Date(capture.receivedAt).toISOString(),
      status,
      ...(error !== undefined && { error }),
      milliseconds,
    })
    return
  }
  const outcome = status === null ? noResponse(printable(error ?? '')) : String(status)
  const style = isAccepted(response) ? 'green' : 'red'
  stdout.write(`${paint(style, outcome)}  ${milliseconds} ms  ${printable(capture.path)}\n`)
}

/** How many were accepted, and what to do about old ones that were not accepted. */
export function writeSummary(
  { sent, accepted, unsent, outdated }: ReplayTally,
  { resigned, tolerance }: Pick<Scheme, 'tolerance'> & { readonly resigned: boolean },
  stderr: Output,
): void {
  const rest = unsent > 0 ? `, ${unsent} not sent` : ''
  stderr.write(`${sent} sent, ${accepted} accepted${rest}.\n`)
  if (!resigned && outdated > 0) {
    stderr.write(
      `Some deliveries were signed more than ${tolerance} seconds ago, and a receiver rejects old timestamps. Add --resign.\n`,
    )
  }
}

function isAccepted({ status = 0 }: ReceivedResponse): boolean {
  return status >= 200 && status < 300
}
