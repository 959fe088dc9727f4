import { DEFAULTS } from '@webhook-receiver/core'
import type { NamedCapture } from '../capture-files.ts'
import type { Paint } from '../colour.ts'
import { printable, writeJson } from '../printable.ts'
import type { Output } from '../surroundings.ts'
import { type Answer, isAccepted } from '../transmission.ts'

export interface Replayed {
  readonly capture: NamedCapture
  readonly answer: Answer
}

/** One line; JSON where there is no paint. */
export function writeReplayed(
  { capture, answer }: Replayed,
  stdout: Output,
  paint: Paint | undefined,
): void {
  const { status = null, error, duration } = answer
  if (paint === undefined) {
    writeJson(stdout, {
      capture: capture.path,
      received_at: new Date(capture.receivedAt).toISOString(),
      status,
      ...(error !== undefined && { error }),
      milliseconds: duration,
    })
    return
  }
  const outcome = status === null ? `no answer (${printable(error ?? '')})` : String(status)
  stdout.write(
    `${paint(isAccepted(answer) ? 'green' : 'red', outcome)}  ${duration} ms  ${capture.path}\n`,
  )
}

/** How many were accepted, and what to do about old ones that were not. */
export function writeSummary(
  all: readonly Replayed[],
  { resigned, now }: { readonly resigned: boolean; readonly now: number },
  stderr: Output,
): void {
  const refused = all.filter(({ answer }) => !isAccepted(answer))
  stderr.write(`${all.length} sent, ${all.length - refused.length} accepted.\n`)
  const old = refused.some(
    ({ capture, answer }) =>
      answer.status === 401 && now - capture.receivedAt > DEFAULTS.tolerance * 1000,
  )
  if (!resigned && old) {
    stderr.write(
      'Some were signed more than 5 minutes ago, and a receiver refuses what is old: add --resign.\n',
    )
  }
}
