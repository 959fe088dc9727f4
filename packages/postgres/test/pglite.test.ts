import { describe } from 'vitest'
import { openPglite } from './clients.ts'
import { describePostgresLeases } from './lease-suite.ts'
import { describePostgresTransactions } from './transaction-suite.ts'

describe('with PGlite', () => {
  describePostgresLeases(openPglite)
  describePostgresTransactions(openPglite, false)
})
