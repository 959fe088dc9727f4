import {
  type Delivery,
  type DeliveryStore,
  memoryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** A delivery as a receiver passes it on. */
export function delivered(event = 'message.received', id?: string): Delivery {
  // The sample has the shape; which variant of the union it is, only its event tells.
  return { ...sampleDelivery(event, { id }), known: KNOWN.test(event) } as Delivery
}

const KNOWN = /^message\.(received|sent|delivered|read|failed)$|^instance\.(dis)?connected$/

/** A memory store of which some methods are replaced, and which notes what it was asked. */
export function storeWith(replaced: Partial<DeliveryStore> = {}): DeliveryStore & {
  readonly asked: string[]
} {
  const asked: string[] = []
  const store = { ...memoryStore(), ...replaced }
  return {
    asked,
    claim(key, token, lease) {
      asked.push('claim')
      return store.claim(key, token, lease)
    },
    complete(key, token) {
      asked.push('complete')
      return store.complete(key, token)
    },
    release(key, token) {
      asked.push('release')
      return store.release(key, token)
    },
    extend(key, token, lease) {
      asked.push('extend')
      return store.extend(key, token, lease)
    },
    forget: store.forget,
  }
}

/** A store with this `transact`. */
export function transacting<Transaction>(
  transact: TransactionalDeliveryStore<Transaction>['transact'],
): TransactionalDeliveryStore<Transaction> {
  return { transact, forget: () => false }
}

export interface Steps {
  begin?(): Promise<unknown>
  commit?(): Promise<unknown>
}

/** A store whose transactions are names in a list: what is committed stays. */
export function transactionalStore({
  begin,
  commit,
}: Steps = {}): TransactionalDeliveryStore<string[]> & { readonly committed: string[] } {
  const done = new Set<string>()
  const running = new Set<string>()
  const committed: string[] = []
  return {
    committed,
    forget: (key) => done.delete(key),
    async transact(key, work) {
      await begin?.()
      if (done.has(key)) return { status: 'done' }
      if (running.has(key)) return { status: 'in_progress', retryAfter: 0.2 }
      running.add(key)
      const transaction: string[] = []
      try {
        await work(transaction)
        await commit?.()
        done.add(key)
        committed.push(...transaction)
      } finally {
        running.delete(key)
      }
      return { status: 'claimed' }
    },
  }
}

/** A promise that is settled from outside. */
export function gate<Value = void>(): {
  readonly promise: Promise<Value>
  readonly open: (value: Value) => void
  readonly fail: (error: unknown) => void
} {
  let open: (value: Value) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}

/** What a store does that never responds. */
export function hanging(): Promise<never> {
  return new Promise(() => {})
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

export async function eventually(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 5) {
    if (waited > 3000) throw new Error('it did not come about')
    await sleep(5)
  }
}

/** Fails every test of a file that leaves a rejection unhandled. */
export function failOnUnhandled(): void {
  const unhandled = vi.fn()

  beforeEach(() => {
    unhandled.mockReset()
    process.on('unhandledRejection', unhandled)
  })

  afterEach(async () => {
    vi.useRealTimers()
    await sleep(10)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
}
