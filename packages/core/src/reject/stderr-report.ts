import { startTimer } from '../async/timeout.ts'
import { inDevelopment } from './environment.ts'
import {
  briefly,
  escapeControls,
  LONGEST_LINE,
  pageOf,
  placeOf,
  shownAddress,
  wrapped,
} from './log-line.ts'
import { describeError } from './print-error.ts'
import type { Reason, Status } from './reasons.ts'

/** In one span of time: the most lines of one reason, after how many of them a cause that was shown is only counted, and what the span is called. */
const RATES = {
  development: { lines: 10, alike: 5, seconds: 1, span: 'second' },
  elsewhere: { lines: 5, alike: 1, seconds: 60, span: 'minute' },
} as const

/** What the line says of a rejection. */
interface Reported {
  readonly status: Status
  readonly reason: Reason
  readonly detail: string
  /** The name of the scheme. */
  readonly scheme?: string | undefined
  readonly endpoint?: string | undefined
  readonly remote: {
    readonly address?: string | undefined
    readonly url?: string | undefined
    readonly userAgent?: string | undefined
  }
  readonly cause?: unknown
  readonly quarantined?: boolean
  readonly event?: string | undefined
  readonly id?: string | undefined
  /** With a diagnosis, the line is as long as that. */
  readonly diagnosis?: readonly { readonly code: string }[] | undefined
}

/** How many causes are remembered. */
const MOST_CAUSES = 100

/** How our own tools name themselves. Anybody can, so the line only adds it. */
const TOOL = /^webhook-receiver-[a-z]{1,20}$/

/** The lines of one reason since `start`, of the clock. */
interface Window {
  readonly start: number
  readonly seen: Set<string>
  shown: number
  held: number
  /** Stops the timer that reports how many were held back. */
  cancel?: () => void
}

/**
 * The default `onRejected`: of each reason, one line on standard error per cause, and five a minute. Where NODE_ENV is development, ten a
 * second, half of them kept for details that were not shown in that second: a cause in full once, and then in one line. How many more there
 * were is written with the next line, or when the time is over. `isExamined`: the debugger knows the
 * scheme, because it has a value; that of a token has none.
 */
export function createStderrReport(
  now: () => number,
  isExamined = true,
): (reported: Reported) => void {
  const isLong = inDevelopment()
  const { lines, alike, seconds, span } = isLong ? RATES.development : RATES.elsewhere
  const windows = new Map<Reason, Window>()
  /** The causes that were shown in full, where that is long. */
  const explained = new Set<string>()

  function open(reason: Reason, start: number): Window {
    const window: Window = { start, seen: new Set(), shown: 0, held: 0 }
    windows.set(reason, window)
    return window
  }

  function hold(reported: Reported, window: Window, time: number): void {
    const { status, reason } = reported
    window.held++
    window.cancel ??= startTimer(seconds - (time - window.start) / 1000, () => {
      windows.delete(reason)
      const where = whereOf(reported)
      console.error(
        `[webhook-receiver] ${window.held} more ${status} ${reason} in the last ${span}${where && `, first${where}`}.`,
      )
    })
  }

  return (reported) => {
    const { status, reason, detail, cause, remote, quarantined, diagnosis } = reported
    const time = now()
    const last = windows.get(reason)
    const age = last ? time - last.start : Number.NaN
    // A clock that was set back opens a window, too.
    const current = age >= 0 && age < seconds * 1000 ? last : undefined
    const window = current ?? open(reason, time)
    // In a flood, before anything is made of the text.
    if (window.shown >= lines) {
      hold(reported, window, time)
      return
    }
    // The detail contains the error of a store, which can have several lines.
    const text = escapeControls(detail).replaceAll('\n', ' ')
    const seen = `${reason} ${diagnosis?.[0]?.code} ${text.split(SENTENCES)[0]}`
    const known = isLong ? detail : seen.replace(VARYING, '')
    if (window.shown >= alike && window.seen.has(known)) {
      hold(reported, window, time)
      return
    }
    window.shown++
    window.seen.add(known)
    if (!current) last?.cancel?.()
    const count = current ? 0 : (last?.held ?? 0)
    const held = count > 0 ? ` (${count} more since the last one)` : ''
    const from = remote.address === undefined ? '' : ` from ${shownAddress(remote.address)}`
    const kept = quarantined ? ' Quarantined.' : ' Not quarantined.'
    const fate = quarantined === undefined ? '' : kept
    const page = pageOf(reason, reported.scheme, isExamined)
    if (isLong && !explained.has(seen)) {
      if (explained.size === MOST_CAUSES) explained.clear()
      explained.add(seen)
      // Where a function of the application threw it.
      const [frame = ''] = FRAME.exec(status < 500 ? '' : describeError(cause).stack) ?? []
      console.error(`${lineOf(reported, from, wrapped(text + fate))}${frame}\n  ${page}${held}`)
      return
    }
    const room = diagnosis && !isLong ? Number.POSITIVE_INFINITY : LONGEST_LINE
    const line = fitted(reported, from, text, room - fate.length - held.length)
    console.error(`${line}${fate}${isLong ? '' : ` ${page}`}${held}`)
  }
}

function lineOf(reported: Reported, from: string, text: string): string {
  const { status, reason, remote } = reported
  const { userAgent = '' } = remote
  const tool = TOOL.test(userAgent) ? ` by ${userAgent}` : ''
  return `[webhook-receiver] ${status} ${reason}${whereOf(reported, from + tool)}:${text}`
}

function whereOf({ event, id, endpoint, remote }: Reported, from = ''): string {
  const which = [event, id].map((part) => (part ? ` ${briefly(part)}` : '')).join('')
  return `${placeOf(endpoint, remote.url)}${from}${which}`
}

/**
 * A line with the most important of its parts: a detail begins with the sentence that says the most. The address goes before a
 * fingerprint does, since the log of the server or proxy in front has it, too.
 */
function fitted(reported: Reported, from: string, text: string, room: number): string {
  const whole = lineOf(reported, from, ` ${text}`)
  if (whole.length <= room) return whole
  const sentences = text.split(SENTENCES)
  for (let count = sentences.length; count > 0; count--) {
    const line = lineOf(reported, '', ` ${sentences.slice(0, count).join(' ')}`)
    if (line.length <= room) return line
  }
  const line = lineOf({ ...reported, event: undefined }, '', ` ${sentences[0]}`)
  return line.length > room ? `${line.slice(0, room - 1)}…` : line
}

const SENTENCES = /(?<=[.?]) (?=["`A-Z])/

const FRAME = /\n\s+at .*:\d+:\d+\)?$/m

/** What differs between two rejections by one cause. */
const VARYING = /\d|\([^)]*/g
