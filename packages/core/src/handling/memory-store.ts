import { checkOptions, type OptionTable } from '../validate/check-options.ts'
import { CLOCK, numberRule, optional } from '../validate/rule.ts'
import { AgingMap } from './aging-map.ts'
import type { Claim, DeliveryStore } from './store.ts'

export interface MemoryStoreOptions {
  /**
   * The largest number of deliveries in the store. Each takes less than 300 bytes if its id is a UUID, and one byte more
   * for each further character. If the store is full, it forgets the done mark that was used least recently. Anything but a whole number from 1 is a TypeError.
   * @default 100_000
   */
  readonly maxEntries?: number | undefined
  /**
   * How long a done mark is kept, in seconds. Keep it above the receiver's `tolerance` and above the time for
   * which the service repeats a delivery. Anything but a number above 0 is a TypeError.
   * @default 259_200 (72 hours)
   */
  readonly retention?: number | undefined
  /**
   * The clock, in milliseconds. Only differences count.
   * @default performance.now
   */
  readonly now?: (() => number) | undefined
}

const OPTIONS = {
  maxEntries: [numberRule({ from: 1, whole: true }), 100_000],
  // 72 hours.
  retention: [numberRule({ unit: 'seconds', above: 0, infinity: true }), 259_200],
  now: [optional(CLOCK)],
} as const satisfies { readonly [Name in keyof Required<MemoryStoreOptions>]: OptionTable[string] }

interface Lease {
  readonly token: string
  readonly end: number
}

/** How many leases are looked at, where only leases are left, before a claim is turned away. */
const LOOKS = 8

/**
 * A store in the memory of **one process**. It does not see the deliveries that other processes handle, and it
 * forgets everything when its process ends: after a restart a duplicate is handled again.
 *
 * Every operation takes constant time on average. A claim is never dropped to make room: if there are already
 * `maxEntries` claims, the next claim is rejected and the answer is 503.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * deliveryHandler({ 'message.received': async (delivery) => { … } }, { store: memoryStore() })
 */
export function memoryStore(options: MemoryStoreOptions = {}): DeliveryStore {
  const checked = checkOptions(options, OPTIONS, '{ maxEntries: 100_000 }')
  const { maxEntries, retention, now = () => performance.now() } = checked
  const leases = new AgingMap<Lease>()
  const done = new AgingMap<number>()

  function claim(key: string, token: string, seconds: number): Claim {
    const time = now()
    const mark = done.get(key) ?? Number.NEGATIVE_INFINITY
    if (mark > time) {
      done.set(key, mark)
      return { status: 'done' }
    }
    done.delete(key)
    const lease = leases.get(key)
    if (lease && lease.end > time) {
      return { status: 'in_progress', retryAfter: (lease.end - time) / 1000 }
    }
    if (!lease) makeRoom(time)
    leases.set(key, { token, end: time + seconds * 1000 })
    return { status: 'claimed' }
  }

  /** A lease that ran out and that nobody took is still its owner's: no harm was done. */
  function owns(key: string, token: string): boolean {
    return leases.get(key)?.token === token
  }

  function makeRoom(time: number): void {
    for (let mark = done.oldest(); mark && mark[1] <= time; mark = done.oldest()) {
      done.delete(mark[0])
    }
    if (leases.size + done.size < maxEntries) return
    const mark = done.oldest()
    if (mark) done.delete(mark[0])
    else dropEndedLease(time)
  }

  function dropEndedLease(time: number): void {
    for (let look = 0; look < LOOKS; look++) {
      const oldest = leases.oldest()
      if (!oldest) return
      const [key, lease] = oldest
      leases.delete(key)
      if (lease.end <= time) return
      leases.set(key, lease)
    }
    throw new RangeError(
      `The memory store is full: it has ${maxEntries} claims. Raise \`maxEntries\`, or handle fewer deliveries at a time.`,
    )
  }

  return {
    // Async, so that what goes wrong rejects, as in a store that is somewhere else.
    async claim(key, token, lease) {
      return claim(key, token, lease)
    },
    async complete(key, token) {
      if (!owns(key, token)) return false
      leases.delete(key)
      done.set(key, now() + retention * 1000)
      return true
    },
    async release(key, token) {
      if (!owns(key, token)) return false
      leases.delete(key)
      return true
    },
    async extend(key, token, lease) {
      if (!owns(key, token)) return false
      leases.set(key, { token, end: now() + lease * 1000 })
      return true
    },
  }
}
