import { afterAll, describe } from 'vitest'
import { openPg } from './clients.ts'
import { describeOutages } from './outage-suite.ts'
import { DATABASE_URL, dropTables, unreachable } from './server.ts'
import { describePostgresTransactions } from './transaction-suite.ts'

describe.skipIf(unreachable !== undefined)('with pg that pipelines', () => {
  describePostgresTransactions(() => openPg(DATABASE_URL, { pipeline: true }), true)
  describeOutages((url) => openPg(url, { pipeline: true }))
})

afterAll(dropTables)
