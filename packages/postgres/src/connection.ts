import { betweenEnds, type TransactBetween } from './ends.ts'
import { inClient, listenTo, type PostgresPool, queryPool, type Sent } from './pool.ts'
import type { Query, QueryResult } from './query.ts'

/** How the transactional store reaches PostgreSQL. */
export interface Connection {
  readonly transaction: TransactBetween
  readonly query: (client: unknown, ...sent: Sent) => PromiseLike<QueryResult>
  /** Sends a statement outside of any transaction. */
  readonly outside?: Query | undefined
  /** Whether `transaction` resolves to the result of COMMIT, and what needs no transaction is sent without. */
  readonly pooled?: boolean
}

/** What stands in place of the functions of an application. */
export function ofPool(pool: PostgresPool<unknown>): Connection & { readonly outside: Query } {
  listenTo(pool)
  return {
    transaction: betweenEnds(pool),
    query: inClient,
    outside: (...sent: Sent) => queryPool(pool, ...sent),
    pooled: true,
  }
}
