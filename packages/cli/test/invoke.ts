import { PassThrough, Writable } from 'node:stream'
import { expect } from 'vitest'
import type { ExitCode } from '../src/console/failure.ts'
import { run } from '../src/program.ts'
import { steering } from './steering.ts'

/** What no output may ever hold, unless it is asked for by name. */
export const SECRET = 'whsec_canary-in-the-mine-7f3a'
export const API_KEY = 'key-canary-in-the-mine-9b1c'

export interface Invocation {
  /** Resolves when the command has ended. */
  readonly ended: Promise<Result>
  /** Types Ctrl-C. */
  interrupt(): void
  /** Resolves to what a pattern finds in the outputs, now or later. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  readonly stdin: PassThrough
}

export interface Result {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
  /** What was written at a time, in its order. */
  readonly written: readonly (readonly [to: 'out' | 'err', text: string])[]
  /** Each line of standard output as JSON; empty where it is none. */
  readonly json: readonly Record<string, unknown>[]
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether there is a terminal. */
  readonly tty?: boolean
  /** How large the terminal is. @default 100 × 30 */
  readonly size?: { readonly columns: number; readonly rows: number }
  readonly now?: () => number
}

/** Starts a command in this process. */
export function start(args: readonly string[], circumstances: Circumstances = {}): Invocation {
  const { env, tty = false, size, now = Date.now } = circumstances
  const interruption = new AbortController()
  const written: ['out' | 'err', string][] = []
  const seen = (wanted: 'out' | 'err') =>
    written.map(([to, text]) => (to === wanted ? text : '')).join('')
  const output = (name: 'out' | 'err') => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written.push([name, String(chunk)])
        done()
      },
    })
    return Object.assign(stream, { isTTY: tty, columns: 100, rows: 30, ...size })
  }
  const stdin = Object.assign(new PassThrough(), { isTTY: tty })
  const running = run(args, {
    stdin,
    stdout: output('out'),
    stderr: output('err'),
    env: { WEBHOOK_SECRET: SECRET, WEBHOOK_API_KEY: API_KEY, ...env },
    signal: interruption.signal,
    now,
  })
  let isOver = false
  const ended = running.then((code): Result => {
    isOver = true
    const [out, err] = [seen('out'), seen('err')]
    expect(out + err).not.toContain(SECRET)
    expect(out + err).not.toContain(API_KEY)
    // Where there are no colours, nothing in it should be for a terminal.
    if (!tty && env?.FORCE_COLOR === undefined) expect(steering(out + err)).toEqual([])
    return { code, out, err, written, json: jsonLines(out) }
  })
  return {
    ended,
    stdin,
    interrupt: () => interruption.abort(),
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(seen('out') + seen('err'))
        if (found) return found
        if (isOver) throw new Error(`It ended: ${seen('out')}${seen('err')}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

/** Nothing where the lines are not JSON. */
function jsonLines(text: string): readonly Record<string, unknown>[] {
  try {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** Runs a command in this process to its end. */
export function invoke(
  args: readonly string[],
  circumstances: Circumstances = {},
): Promise<Result> {
  return start(args, circumstances).ended
}

/** Starts `listen` in this process, at a URL. */
export async function listening(
  args: readonly string[],
  env: Circumstances['env'] = {},
): Promise<Invocation & { readonly url: string }> {
  const listener = start(['listen', '--port', '0', ...args], { env })
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  return { ...listener, url }
}
