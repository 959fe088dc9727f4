import type { CommandContext } from './context.ts'

/** Keys that a running command takes on a terminal, each with what it does. */
export interface Keys {
  /** That of the command; `q` aborts it as Ctrl-C does. */
  readonly signal: AbortSignal
  /** What to press, as a sentence. */
  readonly hint: string
  /** Gives the terminal back. */
  end(): void
}

/** What else a command takes. */
export interface MoreKeys {
  /** What they do, for the hint. */
  readonly hint: string
  readonly press: (key: string) => void
}

/** What arrow keys send. */
const ARROWS: Readonly<Record<string, string>> = { '\u001b[A': 'up', '\u001b[B': 'down' }

/** Each key of what came at once: an arrow is three characters. */
function pressed(text: string): readonly string[] {
  const arrows = Object.keys(ARROWS)
  const keys: string[] = []
  for (let at = 0; at < text.length; ) {
    const key = arrows.find((arrow) => text.startsWith(arrow, at)) ?? text.charAt(at)
    keys.push(key)
    at += key.length
  }
  return keys
}

const CLEAR_SCREEN = '\u001b[2J\u001b[3J\u001b[H'
const CTRL_C = '\u0003'

/** `c` and `q`, and `o` if there is something to open. With `json`, and elsewhere than on a terminal, there is only Ctrl-C. */
export function takeKeys(
  { stdin, stdout, signal }: CommandContext,
  {
    json,
    open,
    more,
  }: {
    readonly json?: true | undefined
    readonly open?: (() => void) | undefined
    readonly more?: MoreKeys | undefined
  },
): Keys {
  if (json || stdin.isTTY !== true || stdout.isTTY !== true) {
    return { signal, hint: 'Press Ctrl-C to stop.', end: () => {} }
  }
  const quit = new AbortController()
  const onData = (keys: Buffer | string) => {
    for (const key of pressed(String(keys))) {
      if (key === 'o') open?.()
      if (key === 'c') stdout.write(CLEAR_SCREEN)
      if (key === 'q' || key === CTRL_C) quit.abort()
      more?.press(ARROWS[key] ?? key)
    }
  }
  stdin.setRawMode?.(true)
  stdin.on('data', onData)
  stdin.resume()
  const end = () => {
    stdin.off('data', onData)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
  // A second Ctrl-C is for the process again.
  quit.signal.addEventListener('abort', end)
  return {
    signal: AbortSignal.any([signal, quit.signal]),
    hint: `Press ${more ? `${more.hint}, ` : ''}${open ? 'o to open the inspector, ' : ''}c to clear the screen, q to quit.`,
    end,
  }
}
