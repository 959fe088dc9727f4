import {
  createDeliveryHandler,
  type Delivery,
  type DeliveryStore,
  memoryStore,
  type TransactionalDeliveryStore,
} from '@webhook-receiver/core'
import type { HandleDelivery } from '@webhook-receiver/core/internal'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** A delivery as a receiver passes it on. */
export function delivered(event = 'message.received', id?: string): Delivery {
  // The sample has the shape; which variant of the union it is, only its event tells.
  return { ...sampleDelivery(event, { id }), known: KNOWN.test(event) } as Delivery
}

const KNOWN = /^message\.(received|sent|delivered|read|failed)$|^instance\.(dis)?connected$/

/** A handler for any event, which reports no rejection. */
export function handling(
  any: (
    delivery: Delivery,
    context: { readonly signal: AbortSignal; readonly transaction: string[] },
  ) => unknown = () => {},
  options: object = {},
): HandleDelivery {
  return createDeliveryHandler({ any } as object, { onRejected: false, ...options })
}

/** A memory store of which some methods are replaced, and which notes what it was asked. */
export function storeWith(replaced: Partial<DeliveryStore> = {}): DeliveryStore & {
  readonly asked: string[]
} {
  const asked: string[] = []
  const store = { ...memoryStore(), ...replaced }
  const noting =
    <Asked extends unknown[], Result>(name: string, method: (...given: Asked) => Result) =>
    (...given: Asked) => {
      asked.push(name)
      return method(...given)
    }
  return {
    asked,
    claim: noting('claim', store.claim),
    complete: noting('complete', store.complete),
    release: noting('release', store.release),
    extend: noting('extend', store.extend),
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
