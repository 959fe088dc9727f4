import { useEffect, useState } from 'preact/hooks'
import type { State } from '../src/inspector.ts'
import type { Row } from '../src/row.ts'

export interface Snapshot {
  /** The newest first. */
  readonly rows: readonly Row[]
  readonly state: State | undefined
  readonly connected: boolean
}

let rows: Row[] = []
let snapshot: Snapshot = { rows: [], state: undefined, connected: false }
let epoch = ''
const listeners = new Set<() => void>()

/** What the server says, live. */
export function useSnapshot(): Snapshot {
  const [, update] = useState(0)
  useEffect(() => {
    const listener = () => update((count) => count + 1)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return snapshot
}

let isDue = false

/** What changes within one frame is shown together. */
function publish(change: Omit<Partial<Snapshot>, 'rows'>): void {
  snapshot = { ...snapshot, ...change }
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    snapshot = { ...snapshot, rows: rows.toReversed() }
    for (const listener of listeners) listener()
  })
}

/** The browser connects again by itself and says what it had last. */
export function connect(): () => void {
  const source = new EventSource('./api/events')
  source.addEventListener('hello', ({ data }) => {
    const hello = JSON.parse(data)
    if (hello.epoch !== epoch) rows = []
    epoch = hello.epoch
    publish({ connected: true })
  })
  source.addEventListener('state', ({ data }) => {
    const state: State = JSON.parse(data)
    const { first } = state.counts
    const isKept = ({ n }: Row) => n >= first
    if (!rows.every(isKept)) rows = rows.filter(isKept)
    publish({ state })
  })
  source.addEventListener('rows', ({ data }) => {
    for (const row of JSON.parse(data) as Row[]) put(row)
    publish({})
  })
  source.addEventListener('error', () => publish({ connected: false }))
  return () => source.close()
}

/** Rows are in the order of arrival; a change of an old one finds its place by bisection. */
function put(row: Row): void {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const { at = 0, n = 0 } = rows[middle] ?? {}
    if (at < row.at || (at === row.at && n < row.n)) from = middle + 1
    else to = middle
  }
  rows.splice(from, rows[from]?.n === row.n ? 1 : 0, row)
}
