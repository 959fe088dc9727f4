import { SQLITE_DRIVERS } from '@webhook-receiver/checks/sqlite.mjs'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './files.ts'
import { describeSqliteLeases } from './lease-suite.ts'
import { describeSqliteTransactions } from './transaction-suite.ts'

const folder = temporaryFolder()

const MISSING: Record<string, string> = {
  'node:sqlite': 'This Node has no node:sqlite: run the tests with Node 22.13 or newer.',
  'better-sqlite3': 'Set BETTER_SQLITE3 to a folder in which better-sqlite3 is installed.',
}

describe.each(Object.entries(SQLITE_DRIVERS))('with %s', (name, open) => {
  if (open === undefined) {
    test('the driver is there', (context) => {
      console.warn(MISSING[name])
      context.skip()
    })
    return
  }
  const file = `${folder}/${name.replaceAll(/\W/g, '-')}.db`
  describeSqliteLeases(() => open(file))
  describeSqliteTransactions(() => open(file))
})

test('at least one driver is there', () => {
  expect(Object.values(SQLITE_DRIVERS).filter(Boolean)).not.toEqual([])
})
