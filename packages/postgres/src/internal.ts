// For the inbox: `./internal`. A change of it is never a breaking change.

export {
  inClient,
  inPool,
  listenTo,
  POOL,
  type PostgresPool,
  queryPool,
  sending,
  type Transact,
  type TransactInPool,
} from './pool.ts'
export {
  type Ask,
  createAsk,
  hasCode,
  type QueryResult,
  type QueryValue,
  repeated,
} from './query.ts'
export { named, type Statement } from './statements.ts'
export { quotedTable, tableName } from './table.ts'
