import { WebhookError } from '@webhook-receiver/core'
import { type HandleDelivery, readable, storeKeyOf } from '@webhook-receiver/core/internal'
import type { Claimed, Follow } from './claims.ts'
import { type Closed, close, doneOf } from './ending.ts'
import { createFailures, type FailureSettings } from './failures.ts'
import type { InboxContext } from './options.ts'
import type { Handling, Running } from './store.ts'

/** Handles a delivery from its JSON. */
export type HandleStored = (
  stored: string,
  options: Parameters<HandleDelivery<unknown>>[1],
) => ReturnType<HandleDelivery<unknown>>

export interface AttemptSettings extends FailureSettings {
  readonly handling: Handling
  readonly handlerOf: (service: string) => HandleStored
}

/** Handles what was claimed. Resolves to what was claimed when it ended; rejects only if PostgreSQL cannot be used. */
export type Handle = (claimed: Claimed, follow: Follow) => Promise<Claimed | undefined>

export function createAttempts(settings: AttemptSettings): Handle {
  const { database, statements, handling, handlerOf, timeout } = settings
  const failed = createFailures(settings)

  /** Runs the handler. Resolves to undefined if the delivery is not done. */
  async function run(claimed: Claimed, follow: Follow): Promise<Closed | undefined> {
    const { service, key, delivery } = claimed
    const name = await storeKeyOf({ endpoint: service, key })
    const running: Running = { claimed, follow }
    handling.set(name, running)
    try {
      const known = { endpoint: service, key, context: contextOf(claimed) }
      const outcome = await handlerOf(service)(delivery, known)
      if (outcome !== 'ignored') return { next: running.next }
      return await close(database, statements, doneOf(claimed), timeout, undefined, follow)
    } finally {
      handling.delete(name)
      // What could not be parsed has not used its transaction.
      const { held } = doneOf(claimed)
      await held?.session.rollback()
    }
  }

  return async function handle(claimed, follow) {
    if (claimed.claim === 'died') {
      await failed.died(claimed)
      return undefined
    }
    try {
      const closed = await run(claimed, follow)
      if (closed) return closed.next
      await failed.lost(claimed)
    } catch (thrown) {
      const error = readable(thrown)
      if (claimed.begun || !(error instanceof WebhookError)) await failed.threw(claimed, error)
      else {
        await failed.lost(claimed)
        // The store could not be used. The worker says so once.
        if (error.reason !== 'delivery_in_progress') throw error.cause ?? new Error(error.detail)
      }
    }
    return undefined
  }
}

/** The tenant in a key, whose endpoint has slashes in place of colons: two in front of a name that the application gave. */
function tenantOf(key: string): string | undefined {
  const [, first, , second] = key.slice(0, key.indexOf(':')).split('/')
  return first || second
}

/** What the handler gets beside its transaction. */
function contextOf({
  key,
  attempt,
  received,
  trace,
}: Claimed): Omit<InboxContext<unknown>, 'signal' | 'transaction'> {
  const receivedAt = new Date(Number(received) * 1000)
  const tenant = tenantOf(key)
  return { key, attempt, tenant, receivedAt, ...(trace === null ? {} : { trace }) }
}
