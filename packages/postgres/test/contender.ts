// One of several processes that receive the same deliveries, for processes.test.ts.
import { contend, settings } from '@webhook-receiver/checks/contend.mjs'
import type pg from 'pg'
import { postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'

const { url = '', table } = settings
// All claims are made at once, and wait for one of a few connections.
const client = await openPg(url)
contend<pg.PoolClient>({
  store: postgresStore({ pool: client.pool, table }),
  transact: postgresTransactionalStore({ pool: client.pool, table }).transact,
  effect(key, transaction) {
    const insert = `INSERT INTO ${table}_effects (key) VALUES ($1)`
    return transaction ? transaction.query(insert, [key]) : client.query(insert, [key])
  },
  close: () => client.close(),
})
