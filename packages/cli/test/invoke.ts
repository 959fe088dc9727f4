import { PassThrough, Writable } from 'node:stream'
import { expect } from 'vitest'
import { run } from '../src/program.ts'
import { steering } from './steering.ts'

/** What no output may ever hold, unless it is asked for by name. */
export const SECRET = 'whsec_canary-in-the-mine-7f3a'
export const API_KEY = 'key-canary-in-the-mine-9b1c'

export type Invocation = ReturnType<typeof start>

export type Result = Awaited<Invocation['ended']>

export interface Circumstances {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether there is a terminal. */
  readonly tty?: boolean
  /** How large the terminal is. @default 100 × 30 */
  readonly size?: { readonly columns: number; readonly rows: number }
  readonly now?: () => number
}

/** Starts a command in this process. */
export function start(args: readonly string[], circumstances: Circumstances = {}) {
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
  const ended = running.then((code) => {
    isOver = true
    const [out, err] = [seen('out'), seen('err')]
    expect(out + err).not.toContain(SECRET)
    expect(out + err).not.toContain(API_KEY)
    // Where there are no colours, nothing in it should be for a terminal.
    if (!tty && env?.FORCE_COLOR === undefined) expect(steering(out + err)).toEqual([])
    /** What was `written` at a time, in its order, and each line of standard output as JSON; empty where it is none. */
    return { code, out, err, written, json: jsonLines(out) }
  })
  return {
    /** Resolves when the command has ended. */
    ended,
    stdin,
    /** Types Ctrl-C. */
    interrupt: () => interruption.abort(),
    /** Resolves to what a pattern finds in the outputs, now or later. */
    async until(pattern: RegExp): Promise<RegExpExecArray> {
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

/** The words of a command line. A value in it is a word, and a list is its words. */
export function words(
  texts: TemplateStringsArray,
  ...values: (string | number | readonly string[])[]
): string[] {
  const valuesIn = (word: string) => word.replaceAll('\0', () => `${values.shift()}`)
  return (texts.join('\0').match(/\S+/g) ?? []).flatMap((word) =>
    word === '\0' && Array.isArray(values[0]) ? (values.shift() as string[]) : valuesIn(word),
  )
}

/** Runs a command in this process to its end. */
export const invoke = (...how: Parameters<typeof start>) => start(...how).ended

/** Starts `listen` in this process, at a URL. */
export async function listening(args: readonly string[], env: Circumstances['env'] = {}) {
  const listener = start(['listen', '--port', '0', ...args], { env })
  const [, url = ''] = await listener.until(/Listening on +(\S+)\s/)
  return { ...listener, url }
}
