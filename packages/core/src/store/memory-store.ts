import { madeBy } from '../copies/interfaces.ts'
import { CLOCK, numberRule } from '../validate/rule.ts'
import { type Aging, AgingList } from './aging-list.ts'
import { checkStoreOptions, type StoreOptions } from './options.ts'
import type { DeliveryStore } from './store.ts'

export interface MemoryStoreOptions extends StoreOptions {
  /**
   * The largest number of deliveries in the store. Each takes less than 300 bytes if its id is a UUID, and one byte more
   * for each further character. If the store is full, it forgets the done mark that was used least recently. Anything but a whole number from 1 is a TypeError.
   * @default 100_000
   */
  readonly maxEntries?: number | undefined
  /**
   * The clock, in milliseconds. Only differences count.
   * @default performance.now
   */
  readonly now?: (() => number) | undefined
}

interface Entry extends Aging<Entry> {
  readonly key: string
  /** Of the lease; `undefined` for a done mark. */
  token: string | undefined
  end: number
}

/** How many leases are looked at, where only leases are left, before a claim is turned away. */
const LOOKS = 8

/**
 * A store in the memory of **one process**. It does not see the deliveries that other processes handle, and it
 * forgets everything when its process ends: after a restart a duplicate is handled again.
 *
 * Every operation takes constant time on average. A claim is never dropped to make room: if there are already
 * `maxEntries` claims, the next claim is rejected and the status is 503.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * webhookHandler(secret, { 'message.received': async (delivery) => { … } }, { store: memoryStore() })
 */
export function memoryStore(options: MemoryStoreOptions = {}): DeliveryStore {
  const { maxEntries, retention, now } = checkStoreOptions<MemoryStoreOptions>(
    options,
    {
      maxEntries: [numberRule({ from: 1, whole: true }), 100_000],
      now: [CLOCK, () => performance.now()],
    },
    '{ maxEntries: 100_000 }',
  )
  const entries = new Map<string, Entry>()
  const leases = new AgingList<Entry>()
  const done = new AgingList<Entry>()

  /** The lease, if `token` has it. One that ran out and that nobody took is still its owner's: no harm was done. */
  function owned(key: string, token: string): Entry | undefined {
    const entry = entries.get(key)
    return entry?.token === token ? entry : undefined
  }

  /** Drops what is over, and one entry more where it is full. False where only live claims are left. */
  function makeRoom(time: number): boolean {
    while (done.oldest && done.oldest.end <= time) drop(done.oldest)
    if (entries.size < maxEntries) return true
    const entry = done.oldest ?? endedLease(time)
    if (entry) drop(entry)
    return entry !== undefined
  }

  function endedLease(time: number): Entry | undefined {
    for (let look = 0; look < LOOKS && leases.oldest; look++) {
      const lease = leases.oldest
      if (lease.end <= time) return lease
      leases.remove(lease)
      leases.add(lease)
    }
    return undefined
  }

  function drop(entry: Entry): void {
    listOf(entry).remove(entry)
    entries.delete(entry.key)
  }

  function listOf(entry: Entry): AgingList<Entry> {
    return entry.token === undefined ? done : leases
  }

  function renew(entry: Entry, token: string | undefined, seconds: number): true {
    listOf(entry).remove(entry)
    entry.token = token
    entry.end = now() + seconds * 1000
    listOf(entry).add(entry)
    return true
  }

  return madeBy<DeliveryStore>('@webhook-receiver/core', 'store', {
    claim(key, token, seconds) {
      const time = now()
      const found = entries.get(key)
      if (found && found.end > time) {
        if (found.token !== undefined) {
          return { status: 'in_progress', retryAfter: (found.end - time) / 1000 }
        }
        done.remove(found)
        done.add(found)
        return { status: 'done' }
      }
      if (found) drop(found)
      if (!makeRoom(time)) {
        const full = `The memory store is full: it has ${maxEntries} claims. Raise \`maxEntries\`, or handle fewer deliveries at a time.`
        return Promise.reject(new RangeError(full))
      }
      const end = time + seconds * 1000
      const entry: Entry = { key, token, end, older: undefined, younger: undefined }
      entries.set(key, entry)
      leases.add(entry)
      return { status: 'claimed' }
    },
    complete(key, token) {
      const lease = owned(key, token)
      return lease !== undefined && renew(lease, undefined, retention)
    },
    release(key, token) {
      const lease = owned(key, token)
      if (lease) drop(lease)
      return lease !== undefined
    },
    extend(key, token, seconds) {
      const lease = owned(key, token)
      return lease !== undefined && renew(lease, token, seconds)
    },
    forget(key) {
      const mark = entries.get(key)
      if (!mark || mark.token !== undefined || mark.end <= now()) return false
      drop(mark)
      return true
    },
  })
}
