import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { isAbandoned } from '@webhook-receiver/core/store'
import {
  DISCONNECT,
  ENDED_BY_HANDLER,
  hasCode,
  NO_TRANSACTION,
  ROLLBACK,
} from '@webhook-receiver/postgres/internal'
import type { Claimed, Follow } from './claims.ts'
import type { Database } from './database.ts'
import { close, doneOf, type Finish, giveBack } from './ending.ts'
import type { Statements } from './statements.ts'

/** The deliveries that are being handled in this process, by what the store gets as their keys. */
export type Handling = Map<string, Running>

export interface Running {
  readonly claimed: Claimed
  readonly follow: Follow
  /** What was claimed when it ended. */
  next?: Claimed | undefined
}

/** The store behind the handlers of an inbox: a delivery is done in the transaction of its effects. */
export function inboxStore(
  database: Database,
  statements: Statements,
  handling: Handling,
  timeout: number,
): TransactionalDeliveryStore<unknown> {
  return {
    // For operators, who have `forget` and `retry` here.
    forget: async () => false,
    async transact(key, work) {
      const running = handling.get(key)
      if (!running) return LOST
      const { claimed, follow } = running
      const finish: Finish = async (client, { backend, since }, ask, back) => {
        claimed.begun = true
        try {
          await work(client)
        } catch (error) {
          if (isAbandoned(error)) {
            // If a statement of the handler does not end, what is sent behind it does not run. The pool may have no other connection than those
            // of handlers, so this is not waited for.
            database.ask(statements.disconnect, Number(backend), String(since)).catch(() => {})
            // Before an ORM rolls back: nothing that the handler sends later may run in the transaction of another.
            if (!back) await Promise.allSettled([ask(ROLLBACK), ask(DISCONNECT)])
          } else if (back) {
            // Fails where there is none: what the handler has committed is written again by the next attempt.
            const ended = await ask(CHAIN).catch((why) => hasCode(why, NO_TRANSACTION))
            await back(error)
            if (ended === true) throw new Error(ENDED_BY_HANDLER, { cause: error })
          }
          throw error
        }
      }
      const closed = await close(database, statements, doneOf(claimed), timeout, finish, follow)
      running.next = closed?.next
      // It took so long that nobody waits for it.
      if (running.next && handling.get(key) !== running) {
        await running.next.held?.session.rollback()
        await giveBack(database, statements, running.next.id, running.next.token)
      }
      return closed ? { status: 'claimed' } : LOST
    },
  }
}

const CHAIN = { text: 'ROLLBACK AND CHAIN' }

const LOST = { status: 'in_progress', retryAfter: 1 } as const
