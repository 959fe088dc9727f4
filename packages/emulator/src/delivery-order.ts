import { wait } from './wait.ts'

/** The order of the deliveries to one webhook. One delivery at a time can be held back behind a later one. */
export interface DeliveryOrder {
  /** The place of the next delivery. */
  nextPlace(): number
  /** Waits until a later delivery is answered, or the time is up. Does not wait where another delivery is held back. */
  waitForLater(place: number, milliseconds: number, signal: AbortSignal): Promise<void>
  /** Records that a delivery is answered. */
  answered(place: number): void
}

export function createDeliveryOrder(): DeliveryOrder {
  let places = 0
  let heldBack: { readonly place: number; readonly release: AbortController } | undefined
  return {
    nextPlace: () => places++,
    async waitForLater(place, milliseconds, signal) {
      if (heldBack) return
      const release = new AbortController()
      heldBack = { place, release }
      await wait(milliseconds, AbortSignal.any([release.signal, signal]))
      if (heldBack?.release === release) heldBack = undefined
    },
    answered(place) {
      if (heldBack === undefined || place <= heldBack.place) return
      heldBack.release.abort()
      heldBack = undefined
    },
  }
}
