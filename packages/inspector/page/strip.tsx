import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Row } from '../src/row.ts'
import { Button } from './controls.tsx'
import { count, KINDS, type Kind, kindOf, milliseconds } from './format.ts'

/** The last five minutes in bars of five seconds. */
const BARS = 60
const BAR = 5000
const HEIGHT = 24

/** How many deliveries ended how, each a filter, beside the last five minutes. */
export function Strip({
  rows,
  show,
  onShow,
}: {
  readonly rows: readonly Row[]
  readonly show: string | undefined
  readonly onShow: (kind: Kind | undefined) => void
}) {
  const counts = useMemo(() => {
    const counted = { good: 0, right: 0, bad: 0, pending: 0 }
    for (const row of rows) counted[kindOf(row)] += 1
    return counted
  }, [rows])
  return (
    <div class="strip">
      <fieldset class="counts">
        <legend class="hidden">Show</legend>
        <Button aria-pressed={show === undefined} onClick={() => onShow(undefined)}>
          All <b class="shown">{count(rows.length)}</b>
        </Button>
        {Object.entries(KINDS).map(([kind, name]) => (
          <Button
            class={kind}
            aria-pressed={show === kind}
            onClick={() => onShow(show === kind ? undefined : (kind as Kind))}
          >
            {name} <b>{count(counts[kind as Kind])}</b>
          </Button>
        ))}
      </fieldset>
      <Minutes rows={rows} />
    </div>
  )
}

function Minutes({ rows }: { readonly rows: readonly Row[] }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  // Once a second is enough, whatever comes.
  const { bars, durations } = useMemo(() => figures(rows, now), [now])
  const share = (part: number) => durations[Math.floor(part * durations.length)]
  const most = Math.max(
    1,
    ...bars.map(({ good, right, bad, pending }) => good + right + bad + pending),
  )
  return (
    <div class="minutes">
      {durations.length > 0 && (
        <span class="quiet">
          median {milliseconds(share(0.5))} · p95 {milliseconds(share(0.95))}
        </span>
      )}
      <svg
        role="img"
        aria-label={`The last five minutes: at most ${count(most)} deliveries in five seconds`}
        viewBox={`0 0 ${BARS * 3} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.flatMap((bar, index) => {
          let y = HEIGHT
          return (['good', 'right', 'bad', 'pending'] as const).map((kind) => {
            const height = (bar[kind] / most) * HEIGHT
            y -= height
            return height > 0 && <rect class={kind} x={index * 3} y={y} width={2} height={height} />
          })
        })}
      </svg>
    </div>
  )
}

function figures(rows: readonly Row[], now: number) {
  const bars = Array.from({ length: BARS }, () => ({ good: 0, right: 0, bad: 0, pending: 0 }))
  const end = Math.ceil(now / BAR) * BAR
  const durations: number[] = []
  for (const row of rows) {
    const bar = bars[BARS - 1 - Math.floor((end - row.at) / BAR)]
    // The newest are first.
    if (bar === undefined) break
    bar[kindOf(row)] += 1
    if (row.ms !== undefined) durations.push(row.ms)
  }
  durations.sort((one, other) => one - other)
  return { bars, durations }
}
