import type { Rejection } from './hooks.ts'
import type { Reason } from './refusal.ts'

const MINUTE = 60_000

/** What the line tells of a refusal. */
type Reported = Pick<Rejection, 'status' | 'reason' | 'detail' | 'remote'>

/** The default `onRejected`: one line on standard error per reason and minute, with a count of those in between. */
export function stderrReport(now: () => number): (reported: Reported) => void {
  const windows = new Map<Reason, { start: number; held: number }>()
  return ({ status, reason, detail, remote }) => {
    const window = windows.get(reason)
    const time = now()
    // The second test is for a clock that was set back.
    if (window && time - window.start < MINUTE && time >= window.start) {
      window.held++
      return
    }
    windows.set(reason, { start: time, held: 0 })
    const held = window?.held ? ` (and ${window.held} more like it since the last such line)` : ''
    const from = remote.address === undefined ? '' : ` from ${remote.address}`
    console.error(`[webhook-receiver] ${status} ${reason}${from}: ${detail}${held}`)
  }
}
