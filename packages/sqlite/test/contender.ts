// One of several processes that receive the same deliveries, for processes.test.ts.
import { contend, settings } from '@webhook-receiver/checks/contend.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { migrate, sqliteStore, sqliteTransactionalStore } from '../src/index.ts'

const database = openSqlite(settings.file ?? '')
await migrate(database)
// For the statements of the handler.
database.exec('PRAGMA busy_timeout = 60000')
// All claims are made at once, and wait for one lock.
const options = { database, busyTimeout: 60 }
contend({
  store: sqliteStore(options),
  transact: sqliteTransactionalStore(options).transact,
  effect: (key) => database.prepare('INSERT INTO effects VALUES (?) RETURNING key').all(key),
  close: () => database.close(),
})
