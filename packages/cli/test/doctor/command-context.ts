import { PassThrough, Writable } from 'node:stream'
import type { CommandContext } from '../../src/console/context.ts'

export interface Settings {
  readonly env?: CommandContext['env']
  readonly tty?: boolean
  readonly signal?: AbortSignal
  /** What a person types. */
  readonly typed?: string
}

/** The context of a command, and what it has printed there. */
export function context({ env = {}, tty = false, signal, typed = '' }: Settings = {}) {
  const text = { stdout: '', stderr: '' }
  const output = (name: keyof typeof text) =>
    Object.assign(
      new Writable({
        write: (part, _encoding, done) => {
          text[name] += part
          done()
        },
      }),
      { isTTY: tty },
    )
  const stdin = Object.assign(new PassThrough(), { isTTY: tty, setRawMode: () => {} })
  if (typed !== '') setTimeout(() => stdin.write(typed), 50)
  const given: CommandContext = {
    stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    now: Date.now,
    signal: signal ?? new AbortController().signal,
  }
  return { given, printed: () => ({ ...text }) }
}
