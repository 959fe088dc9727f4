import { useEffect, useState } from 'preact/hooks'

export type Pane = 'delivery' | 'new'

/** Where somebody is on the page. It is the part of the address after the `#`, so that a reload or a bookmark comes back here. */
export interface Route {
  readonly pane?: Pane | undefined
  /** The delivery that is open, or that a new one starts from. */
  readonly n?: number | undefined
  /** The newest where there is none. */
  readonly attempt?: number | undefined
  readonly tab?: string | undefined
  readonly text?: string | undefined
  readonly event?: string | undefined
  readonly show?: string | undefined
}

const NAMES = ['tab', 'text', 'event', 'show'] as const

/** A map, because `#/constructor` is not the name of a pane. */
const PANES: ReadonlyMap<string, Pane> = new Map([
  ['d', 'delivery'],
  ['new', 'new'],
])

function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [place = '', number, attempt] = path.split('/')
  const values = new URLSearchParams(query)
  return {
    pane: PANES.get(place),
    n: Number(number) || undefined,
    attempt: Number(attempt) || undefined,
    ...Object.fromEntries(NAMES.map((name) => [name, values.get(name) ?? undefined])),
  }
}

function writeRoute({ pane, n, attempt, ...others }: Route): string {
  const place = [pane === 'delivery' ? 'd' : pane, n, attempt].filter(Boolean).join('/')
  const values = NAMES.flatMap((name) => (others[name] ? [[name, others[name]]] : []))
  const query = String(new URLSearchParams(values))
  return `#/${place}${query && `?${query}`}`
}

/** The route, and a function that goes elsewhere. Going to another pane can be undone with the browser's Back. */
export function useRoute(): readonly [Route, (change: Route) => void] {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const onChange = () => setRoute(readRoute(location.hash))
    addEventListener('popstate', onChange)
    return () => removeEventListener('popstate', onChange)
  }, [])
  const go = (change: Route) => {
    const before = readRoute(location.hash)
    const next = { ...before, ...change }
    const method = before.pane === next.pane ? 'replaceState' : 'pushState'
    history[method](null, '', writeRoute(next))
    setRoute(next)
  }
  return [route, go]
}
