import { useEffect, useState } from 'preact/hooks'
import type { Row } from '../src/row.ts'
import type { State } from '../src/state.ts'

export interface Snapshot {
  /** The newest first. */
  readonly rows: readonly Row[]
  readonly state: State | undefined
  readonly connected: boolean
}

let rows: Row[] = []
/** Where the row with a number is, counted from the number of the first row. */
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

function publish(change: Partial<Snapshot>): void {
  snapshot = { ...snapshot, ...change }
  for (const listener of listeners) listener()
}

/** The browser connects again by itself and says what it had last. */
export function connect(): () => void {
  const source = new EventSource('./api/events')
  source.addEventListener('hello', ({ data }) => {
    const hello = JSON.parse(data)
    if (hello.epoch !== epoch) rows = []
    epoch = hello.epoch
    publish({ rows: newestFirst(), connected: true })
  })
  source.addEventListener('state', ({ data }) => {
    const state: State = JSON.parse(data)
    const { first } = state.counts
    const gone = rows.findIndex(({ n }) => n >= first)
    if (gone !== 0) rows = gone < 0 ? [] : rows.slice(gone)
    publish({ state, rows: newestFirst() })
  })
  source.addEventListener('rows', ({ data }) => {
    for (const row of JSON.parse(data) as Row[]) put(row)
    publish({ rows: newestFirst() })
  })
  source.addEventListener('error', () => publish({ connected: false }))
  return () => source.close()
}

/** Rows are in the order of their numbers; a change of an old one finds its place by bisection. */
function put(row: Row): void {
  const last = rows.at(-1)
  if (last === undefined || last.n < row.n) {
    rows.push(row)
    return
  }
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rows[middle]?.n ?? 0) < row.n) from = middle + 1
    else to = middle
  }
  rows.splice(from, rows[from]?.n === row.n ? 1 : 0, row)
}

function newestFirst(): readonly Row[] {
  return rows.toReversed()
}
