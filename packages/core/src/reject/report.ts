import { startTimer } from '../async/timeout.ts'
import { inDevelopment } from './development.ts'
import { escapeControls } from './log-line.ts'
import type { Reason, Status } from './reasons.ts'

/** How many lines of one reason are written in one span of time, and what the span is called. */
const RATES = {
  development: { lines: 10, seconds: 1, span: 'second' },
  elsewhere: { lines: 1, seconds: 60, span: 'minute' },
} as const

/** What the line tells of a refusal. */
interface Reported {
  readonly status: Status
  readonly reason: Reason
  readonly detail: string
  readonly remote: { readonly address?: string | undefined }
}

/** The lines of one reason since `start`, of the clock. */
interface Window {
  readonly start: number
  readonly details: Set<string>
  shown: number
  held: number
  /** Stops the timer that tells how many were held back. */
  cancel?: () => void
}

/**
 * The default `onRejected`: one line on standard error per reason and minute; where NODE_ENV is development, ten per
 * reason and second, half of them kept for details that were not shown in that second. How many more there were is
 * told with the next line, or when the time is over.
 */
export function createStderrReport(now: () => number): (reported: Reported) => void {
  const { lines, seconds, span } = inDevelopment() ? RATES.development : RATES.elsewhere
  const windows = new Map<Reason, Window>()

  function open(reason: Reason, start: number): Window {
    const window: Window = { start, details: new Set(), shown: 0, held: 0 }
    windows.set(reason, window)
    return window
  }

  function hold(reason: Reason, window: Window, time: number): void {
    window.held++
    window.cancel ??= startTimer(seconds - (time - window.start) / 1000, () => {
      windows.delete(reason)
      console.error(`[webhook-receiver] ${window.held} more ${reason} in the last ${span}.`)
    })
  }

  return ({ status, reason, detail, remote }) => {
    const time = now()
    const last = windows.get(reason)
    const age = last ? time - last.start : Number.NaN
    // A clock that was set back opens a window, too.
    const current = age >= 0 && age < seconds * 1000 ? last : undefined
    const window = current ?? open(reason, time)
    if (window.shown >= (window.details.has(detail) ? Math.ceil(lines / 2) : lines)) {
      hold(reason, window, time)
      return
    }
    window.shown++
    window.details.add(detail)
    if (!current) last?.cancel?.()
    const count = current ? 0 : (last?.held ?? 0)
    const held = count > 0 ? ` (and ${count} more since the last such line)` : ''
    const from = remote.address === undefined ? '' : ` from ${remote.address}`
    // The detail contains the error of a store, which can have several lines.
    const text = escapeControls(detail).replaceAll('\n', ' ')
    console.error(`[webhook-receiver] ${status} ${reason}${from}: ${text}${held}`)
  }
}
