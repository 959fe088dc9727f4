import { describe } from 'vitest'
import { openPglite } from './clients.ts'
import { describeLeases } from './lease-suite.ts'
import { describeTransactions } from './transaction-suite.ts'

describe('with PGlite', () => {
  describeLeases(openPglite)
  describeTransactions(openPglite, false)
})
