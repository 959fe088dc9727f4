import { wait } from './wait.ts'

/** The deliveries of one webhook in their order, of which one can let a later one pass. */
export interface Line {
  /** The place of the next delivery. */
  join(): number
  /** Waits until a later delivery has passed, or the time is up. Goes on at once where another waits. */
  letPass(place: number, milliseconds: number, signal: AbortSignal): Promise<void>
  /** Tells that a delivery has been answered. */
  passed(place: number): void
}

export function createLine(): Line {
  let places = 0
  let held: { readonly place: number; readonly free: AbortController } | undefined
  return {
    join: () => places++,
    async letPass(place, milliseconds, signal) {
      if (held) return
      const free = new AbortController()
      held = { place, free }
      await wait(milliseconds, AbortSignal.any([free.signal, signal]))
      if (held?.free === free) held = undefined
    },
    passed(place) {
      if (held === undefined || place <= held.place) return
      held.free.abort()
      held = undefined
    },
  }
}
