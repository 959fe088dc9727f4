import type { Scheme } from '@webhook-receiver/core'
import {
  CLEAR_LINE,
  cut,
  type MoreKeys,
  type Output,
  type Paint,
  printable,
  shortId,
} from '../console/index.ts'
import type { ReceivedRequest } from './received-request.ts'
import { detailLines, namesOf, timeOf } from './report.ts'

/** How many requests can be chosen: each is kept with its body. */
const KEPT = 50

/** The last requests, of which the arrow keys choose one. */
export interface Selection extends MoreKeys {
  add(request: ReceivedRequest): void
  /** Prints lines above the line of the one that is chosen. */
  print(lines: readonly string[]): void
  /** Removes that line. */
  end(): void
}

/** `resend` sends one to the server again; without a server, there is none. */
export function createSelection(
  output: Output,
  paint: Paint,
  scheme: Scheme,
  resend: ((request: ReceivedRequest) => void) | undefined,
): Selection {
  const kept: ReceivedRequest[] = []
  let chosen: ReceivedRequest | undefined

  function print(lines: readonly string[]): void {
    const above = chosen ? CLEAR_LINE : ''
    output.write(`${above}${lines.join('\n')}\n${bar()}`)
  }

  /** The line at the bottom, which has no end. */
  function bar(): string {
    if (!chosen) return ''
    const { name, id } = namesOf(chosen, scheme)
    const keys = `${resend ? 'r resend · ' : ''}Enter details · Esc`
    const width = (output.columns || 80) - 1
    const text = cut(
      printable(`▸ ${timeOf(chosen)} ${name} ${shortId(id)}`),
      width - keys.length - 3,
    )
    return `${paint('bold', text)}   ${paint('gray', keys)}`
  }

  function choose(request: ReceivedRequest | undefined): void {
    const before = chosen ? CLEAR_LINE : ''
    chosen = request
    output.write(`${before}${bar()}`)
  }

  return {
    hint: `↑ ↓ to choose a request${resend ? ', r to resend it' : ''}, Enter for its details`,
    print,
    end: () => chosen && choose(undefined),
    add(request) {
      kept.push(request)
      if (kept.length <= KEPT) return
      const first = kept.shift()
      if (first === chosen) choose(kept[0])
    },
    press(key) {
      const at = chosen ? kept.indexOf(chosen) : kept.length
      if (key === 'up' && kept.length > 0) choose(kept[Math.max(0, at - 1)])
      else if (key === 'down' && chosen) choose(kept[at + 1])
      else if (key === '\u001b' && chosen) choose(undefined)
      else if (key === '\r') {
        const request = chosen ?? kept.at(-1)
        if (request) print(detailLines(request, paint, scheme))
      } else if (key === 'r') {
        const request = chosen ?? kept.at(-1)
        if (request) resend?.(request)
      }
    },
  }
}
