import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Row } from '../src/row.ts'
import { clock, milliseconds } from './format.ts'

/** The last minutes, in buckets; in seconds. */
const SPAN = 300
const BUCKET = 2
const BUCKETS = SPAN / BUCKET

function hourAndMinute(seconds: number): string {
  return clock(seconds * 1000).slice(0, 5)
}

interface Figures {
  readonly rates: uPlot.AlignedData
  readonly latencies: uPlot.AlignedData
}

/** Requests a second by outcome, and how long the answers took. */
export function Charts({ rows }: { readonly rows: readonly Row[] }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const { rates, latencies } = figures(rows, now)
  return (
    <section class="charts" aria-label="The last five minutes">
      <Chart
        title="requests a second"
        names={['accepted', 'forged', 'problems']}
        colours={['--good', '--right', '--bad']}
        data={rates}
        unit={(value) => String(Math.round(value * 10) / 10)}
      />
      <Chart
        title="duration"
        names={['median', '95th']}
        colours={['--blue', '--quiet']}
        data={latencies}
        unit={(value) => (value === 0 ? '0' : milliseconds(value))}
      />
    </section>
  )
}

function Chart({
  title,
  names,
  colours,
  data,
  unit,
}: {
  readonly title: string
  readonly names: readonly string[]
  readonly colours: readonly string[]
  readonly data: uPlot.AlignedData
  readonly unit: (value: number) => string
}) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  useEffect(() => {
    const root = element.current
    if (root === null) return
    const colour = (name: string) => () => getComputedStyle(root).getPropertyValue(name).trim()
    const axis = {
      stroke: colour('--quiet'),
      font: '11px system-ui',
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    }
    const made = new uPlot(
      {
        width: root.clientWidth,
        height: 96,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 18, 0, 0],
        scales: { y: { range: (_, __, max) => [0, Math.max(max ?? 0, 1) * 1.1] } },
        axes: [
          {
            ...axis,
            size: 18,
            grid: { show: false },
            values: (_, times) => times.map(hourAndMinute),
          },
          { ...axis, size: 52, values: (_, values) => values.map(unit), space: 26 },
        ],
        series: [
          {},
          ...colours.map((name) => ({
            stroke: colour(name),
            width: 1.5,
            points: { show: false },
            spanGaps: true,
          })),
        ],
      },
      data,
      root,
    )
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: root.clientWidth, height: 96 }))
    observer.observe(root)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [])
  useEffect(() => chart.current?.setData(data), [data])
  const latest = names.map((_, index) =>
    [...(data[index + 1] ?? [])].findLast((value) => value != null),
  )
  return (
    <figure>
      <figcaption>
        {title}
        {names.map((name, index) => (
          <span>
            <i style={{ background: `var(${colours[index]})` }} />
            {name} <b>{latest[index] == null ? '–' : unit(Number(latest[index]))}</b>
          </span>
        ))}
      </figcaption>
      <div ref={element} class="plot" />
    </figure>
  )
}

function figures(rows: readonly Row[], now: number): Figures {
  const end = Math.floor(now / 1000 / BUCKET) * BUCKET
  const start = end - SPAN
  const times = Array.from({ length: BUCKETS }, (_, index) => start + index * BUCKET)
  const counts = { good: [...times].fill(0), right: [...times].fill(0), bad: [...times].fill(0) }
  const durations: number[][] = times.map(() => [])
  for (const row of rows) {
    const index = Math.floor((row.at / 1000 - start) / BUCKET)
    if (index < 0) break
    for (const dot of row.dots) {
      if (dot === 'pending') continue
      const into = counts[dot === 'good' || dot === 'right' ? dot : 'bad']
      into[index] = (into[index] ?? 0) + 1 / BUCKET
    }
    if (row.ms !== undefined) durations[index]?.push(row.ms)
  }
  const share = (part: number) =>
    durations.map((all) => {
      if (all.length === 0) return null
      const sorted = all.toSorted((one, other) => one - other)
      return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null
    })
  return {
    rates: [times, counts.good, counts.right, counts.bad],
    latencies: [times, share(0.5), share(0.95)],
  }
}
