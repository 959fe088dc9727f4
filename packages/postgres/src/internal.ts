// For the inbox: `./internal`. A change of it is never a breaking change.

export { ENDED_BY_HANDLER, explainEnd, hasCode, NO_TRANSACTION } from './explain.ts'
export {
  inClient,
  listenTo,
  POOL,
  type PostgresPool,
  queryPool,
} from './pool.ts'
export { type Ask, createAsk, type QueryResult, type QueryValue, repeated } from './query.ts'
export { DISCONNECT, ENDED, named, ROLLBACK, type Statement } from './statements.ts'
export { creationLock, quotedTable, tableName } from './table.ts'
export {
  openSession,
  type Sending,
  type Session,
  sending,
  type Transact,
} from './transaction.ts'
