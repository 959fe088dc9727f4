import { afterAll, describe } from 'vitest'
import { openPg } from './clients.ts'
import { describeLeases } from './lease-suite.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, unreachable } from './server.ts'
import { describeTransactions } from './transaction-suite.ts'

describe.skipIf(unreachable !== undefined)('with pg', () => {
  describeLeases(() => openPg(DATABASE_URL))
  describeTransactions(() => openPg(DATABASE_URL), true)
  describeOutages((url) => openPg(url))
})

afterAll(dropTables)
