import { join } from 'node:path'
import { type OpenedDatabase, openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { createContenders, describeProcesses } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, sqliteStore, sqliteTransactionalStore } from '../src/index.ts'
import { temporaryFolder } from './files.ts'

const file = `${temporaryFolder()}/webhooks.db`
const program = join(import.meta.dirname, 'contender.ts')
const database = openSqlite(file)

beforeAll(async () => {
  await migrate(database)
  database.exec('CREATE TABLE effects (key TEXT)')
})
afterAll(() => database.close())

describeProcesses<OpenedDatabase>('sqlite', {
  program,
  settings: () => ({ file }),
  store: () => sqliteStore({ database }),
  transactions: {
    store: () => sqliteTransactionalStore({ database, busyTimeout: 0.1 }),
    effect: (key, transaction) =>
      transaction.prepare('INSERT INTO effects VALUES (?) RETURNING key').all(key),
    effectsOf: (prefix) =>
      database.prepare("SELECT key FROM effects WHERE key LIKE ? || '%'").all(prefix).length,
    expectHeld: async (copy) => {
      await expect(copy).rejects.toThrow('The database is locked')
    },
  },
})

test('processes make a new database at once without an error', async () => {
  const { start, killAll } = createContenders(program)
  const fresh = file.replace('.db', '-fresh.db')
  const asked = { file: fresh, ids: 0, copies: 0, mode: 'lease' } as const
  await Promise.all(Array.from({ length: 4 }, () => start(asked)))
  const opened = openSqlite(fresh)
  const claim = sqliteStore({ database: opened }).claim('key', 'token', 1)
  expect(await claim).toEqual({ status: 'claimed' })
  opened.close()
  await killAll()
})
