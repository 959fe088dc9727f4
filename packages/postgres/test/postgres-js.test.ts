import { afterAll, describe } from 'vitest'
import { openPostgresJs } from './clients.ts'
import { describePostgresLeases } from './lease-suite.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, unreachable } from './server.ts'
import { describePostgresTransactions } from './transaction-suite.ts'

describe.skipIf(unreachable !== undefined)('with postgres.js', () => {
  describePostgresLeases(() => openPostgresJs(DATABASE_URL, {}, true))
  describePostgresTransactions(() => openPostgresJs(DATABASE_URL, {}, true), true, false)
  describeOutages(openPostgresJs)
})

afterAll(dropTables)
