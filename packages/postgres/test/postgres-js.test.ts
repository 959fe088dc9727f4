import { afterAll, describe } from 'vitest'
import { openPostgresJs } from './clients.ts'
import { describeLeases } from './lease-suite.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, unreachable } from './server.ts'
import { describeTransactions } from './transaction-suite.ts'

describe.skipIf(unreachable !== undefined)('with postgres.js', () => {
  describeLeases(() => openPostgresJs(DATABASE_URL))
  describeTransactions(() => openPostgresJs(DATABASE_URL), true, false)
  describeOutages(openPostgresJs)
})

afterAll(dropTables)
