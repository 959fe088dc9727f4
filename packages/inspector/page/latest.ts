import { useEffect, useState } from 'preact/hooks'

/** A place of the page that waits for responses. What was asked last wins, in whatever order they come. */
export interface Latest {
  /** Asks, and drops what was asked before. The signal ends that request: a browser opens few connections to one server. */
  ask<Value>(
    load: (signal: AbortSignal) => Promise<Value>,
    onLoaded: (value: Value) => void,
    onFailed?: (error: Error) => void,
  ): void
  /** Nothing that was asked so far is of interest any more. */
  drop(): void
}

/** Also drops what was asked when its place leaves the page. */
export function useLatest(): Latest {
  const [latest] = useState(createLatest)
  useEffect(() => latest.drop, [])
  return latest
}

function createLatest(): Latest {
  let asked = new AbortController()
  const drop = () => asked.abort()
  return {
    drop,
    ask(load, onLoaded, onFailed) {
      drop()
      asked = new AbortController()
      const { signal } = asked
      load(signal).then(
        (value) => {
          if (!signal.aborted) onLoaded(value)
        },
        (error: Error) => {
          if (!signal.aborted) onFailed?.(error)
        },
      )
    },
  }
}
