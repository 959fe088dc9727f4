import { storeBehind } from '../handling/unavailable.ts'

/** How many responses in a row are late before a store counts as overloaded, and how many may be waited for before it no longer does. */
const MOST = 100

/**
 * Decides whether a store is asked for one more delivery. It still works on what nobody waits for any more, and then on undoing that, so an
 * overloaded store would be kept busy by retries alone, and never be in time again. From then on few deliveries at a time reach it: one
 * at first, one more for each response that is in time, and one again after each that is late.
 */
export class Admission {
  #late = 0
  #room = Number.POSITIVE_INFINITY
  #waiting = 0

  /**
   * Call `inTime` or `late` afterwards.
   *
   * @throws WebhookError `store_unavailable` while the store is overloaded and has enough to do.
   */
  enter(): void {
    if (this.#room === Number.POSITIVE_INFINITY) return
    if (this.#waiting >= this.#room) throw storeBehind()
    this.#waiting += 1
  }

  inTime(): void {
    this.#late = 0
    if (this.#room === Number.POSITIVE_INFINITY) return
    this.#leave()
    this.#room = this.#room < MOST ? this.#room + 1 : Number.POSITIVE_INFINITY
  }

  late(): void {
    this.#late += 1
    this.#leave()
    if (this.#late >= MOST || this.#room < MOST) this.#room = 1
  }

  /** Some have entered before they were counted. */
  #leave(): void {
    this.#waiting = Math.max(0, this.#waiting - 1)
  }
}
