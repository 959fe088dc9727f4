import type { Dot } from '../src/row.ts'
import { DOTS } from './format.ts'

const SHOWN = 8

/** Attempts by outcome; the shape says what the colour does. */
export function Dots({
  dots,
  attempts,
}: {
  readonly dots: readonly Dot[]
  readonly attempts: number
}) {
  const shown = dots.slice(-SHOWN)
  const more = attempts - shown.length
  return (
    <span class="dots">
      {more > 0 && <small>{more}+</small>}
      {shown.map((dot) => (
        <i class={`dot ${dot}`} title={DOTS[dot]} />
      ))}
      <span class="hidden">{shown.map((dot) => DOTS[dot]).join(', ')}</span>
    </span>
  )
}
