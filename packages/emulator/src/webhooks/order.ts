import { wait } from '@webhook-receiver/core/internal'

/** The order of the deliveries to one webhook. One delivery at a time can be held back behind a later one. */
export interface DeliveryOrder {
  /** The position of the next delivery. */
  nextPosition(): number
  /** Waits until a later delivery had its response, or the time is up. Does not wait where another delivery is held back. */
  waitForLater(position: number, milliseconds: number, signal: AbortSignal): Promise<void>
  /** Records that a delivery had its response. */
  responded(position: number): void
}

export function createDeliveryOrder(): DeliveryOrder {
  let positions = 0
  let heldBack: { readonly position: number; readonly release: AbortController } | undefined
  return {
    nextPosition: () => positions++,
    async waitForLater(position, milliseconds, signal) {
      if (heldBack) return
      const release = new AbortController()
      heldBack = { position, release }
      await wait(milliseconds, AbortSignal.any([release.signal, signal]))
      if (heldBack?.release === release) heldBack = undefined
    },
    responded(position) {
      if (heldBack === undefined || position <= heldBack.position) return
      heldBack.release.abort()
      heldBack = undefined
    },
  }
}
