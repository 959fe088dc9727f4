import { useEffect, useState } from 'preact/hooks'

const NAMES = ['n', 'attempt', 'new', 'tab', 'text', 'show'] as const

/**
 * Where somebody is on the page: the delivery that is open, or `new`. It is the part of the address after the `#`, so that a reload or
 * a bookmark comes back here.
 */
export type Route = { readonly [Name in (typeof NAMES)[number]]?: string | undefined }

function readRoute(): Route {
  const values = new URLSearchParams(location.hash.slice(1))
  return Object.fromEntries(NAMES.map((name) => [name, values.get(name) ?? undefined]))
}

/** The route, and a function that goes elsewhere. Going to another pane can be undone with the browser's Back. */
export function useRoute(): readonly [Route, (change: Route) => void] {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const onChange = () => setRoute(readRoute())
    addEventListener('popstate', onChange)
    return () => removeEventListener('popstate', onChange)
  }, [])
  const go = (change: Route) => {
    const before = readRoute()
    const next = { ...before, ...change }
    const same = !before.n === !next.n && before.new === next.new
    const values = NAMES.flatMap((name) => (next[name] ? [[name, next[name]]] : []))
    history[same ? 'replaceState' : 'pushState'](null, '', `#${new URLSearchParams(values)}`)
    setRoute(next)
  }
  return [route, go]
}
