/** Registered, because the store may have been made by another copy of core. */
const RUNS = Symbol.for('@webhook-receiver/core.runs')

/** Gives a store what runs deliveries on it. A copy with other methods, as `{ ...store, claim }` makes it, has that too. */
export function withRuns<Store extends object>(store: Store, runs: unknown): Store {
  return Object.assign(store, { [RUNS]: runs })
}

/** What runs deliveries on a store, if somebody has defined it. */
export function runsOf(store: unknown): unknown {
  return Reflect.get(Object(store), RUNS)
}
