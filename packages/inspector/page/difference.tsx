import type { Header } from '@webhook-receiver/emulator/request'
import { useMemo } from 'preact/hooks'
import type { CaptureBody } from '../src/delivery-view.ts'
import { difference } from './diff.ts'

/** How much of what is equal is shown on each side of a difference. */
const CONTEXT = 200

/** How many runs are shown. */
const SHOWN = 2000

interface Signed {
  readonly headers: readonly Header[]
  readonly body: CaptureBody
}

/** Two requests: what is only in the first is removed, what is only in the second is added. */
export function Difference({
  one,
  two,
  names,
  own,
}: {
  readonly one: Signed
  readonly two: Signed
  readonly names: readonly [string, string]
  /** The headers that verification reads, in lower case. */
  readonly own: readonly string[]
}) {
  const runs = useMemo(() => difference(textOf(one, own), textOf(two, own)), [one, two])
  const changed = runs.some(({ kind }) => kind !== 'same')
  return (
    <>
      <p class="quiet">
        <del>{names[0]}</del> <ins>{names[1]}</ins>
        {!changed && ' Nothing differs.'}
      </p>
      {changed && (
        <pre class="signed">
          {runs.slice(0, SHOWN).map(({ kind, text }) => {
            if (kind === 'removed') return <del>{visible(text)}</del>
            if (kind === 'added') return <ins>{visible(text)}</ins>
            if (text.length <= 2 * CONTEXT) return text
            return `${text.slice(0, CONTEXT)} … ${text.slice(-CONTEXT)}`
          })}
        </pre>
      )}
    </>
  )
}

/** White space alone would not be seen. */
function visible(text: string): string {
  return text.trim() === '' ? text.replaceAll(' ', '␣').replaceAll('\n', '↵\n') : text
}

/** The headers that matter to a receiver, and the body; base64 where it is not text. */
function textOf({ headers, body }: Signed, own: readonly string[]): string {
  const wanted = [...own, 'content-type', 'content-encoding']
  const lines = headers
    .filter(([name]) => wanted.includes(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}\n${'text' in body ? body.text : body.base64}`
}
