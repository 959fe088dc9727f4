import { onLambda } from '../reject/environment.ts'

const SECONDS = 60

/** How long nothing was accepted before that is worth a word, in seconds: a quiet endpoint has pauses, too. */
const QUIET = 600

/** How many deliveries were accepted in the last `seconds`. */
export interface AcceptedLately {
  readonly count: number
  readonly seconds: number
}

/**
 * Counts the deliveries that one secret verifies, second by second for a minute. Times are those of `performance.now`.
 *
 * It begins with the first request, since Workers have no time before that.
 */
export class AcceptedCounter {
  #slots: Uint32Array | undefined
  /** The second of the last one, which has the last slot that is filled. */
  #second = 0
  /** When the last one was accepted, or the first one was rejected. */
  #since: number | undefined

  note(time: number): void {
    this.#slots ??= new Uint32Array(SECONDS)
    const slots = this.#forget(Math.floor(time / 1000), this.#slots)
    const at = this.#second % SECONDS
    slots[at] = (slots[at] ?? 0) + 1
    this.#since = time
  }

  /** `undefined` where nothing can be said yet. */
  lately(time: number): AcceptedLately | undefined {
    this.#since ??= time
    const slots = this.#slots && this.#forget(Math.floor(time / 1000), this.#slots)
    const count = slots?.reduce((sum, one) => sum + one, 0) ?? 0
    if (count > 0) return { count, seconds: SECONDS }
    const seconds = (time - this.#since) / 1000
    return seconds < QUIET ? undefined : { count, seconds }
  }

  /** Empties the slots of the seconds since the last one. */
  #forget(second: number, slots: Uint32Array): Uint32Array {
    const passed = second - this.#second
    if (passed >= SECONDS) slots.fill(0)
    else for (let one = 1; one <= passed; one++) slots[(this.#second + one) % SECONDS] = 0
    if (passed > 0) this.#second = second
    return slots
  }
}

/** What several secrets of one receiver have accepted together; `undefined` where nothing can be said yet, and on AWS Lambda. */
export function acceptedByAny(
  secrets: readonly { readonly accepted: AcceptedCounter }[],
  time: number,
): AcceptedLately | undefined {
  if (onLambda()) return undefined
  const all = secrets.map(({ accepted }) => accepted.lately(time))
  const count = all.reduce((sum, lately) => sum + (lately?.count ?? 0), 0)
  if (count > 0) return { count, seconds: SECONDS }
  const seconds = Math.min(...all.map((lately) => lately?.seconds ?? 0))
  return seconds > 0 && all.length > 0 ? { count, seconds } : undefined
}
