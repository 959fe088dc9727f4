// One of several processes that receive the same deliveries, for processes.test.ts.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { openPg } from './clients.ts'

const [url = '', table = '', ids = '0', copies = '0', mode = '', fate = ''] = process.argv.slice(2)
// All claims are made at once, and wait for one of a few connections.
const client = await openPg(url, 60_000)
const leases = postgresStore({ query: client.query, table })
const transactions = postgresTransactionalStore({ ...client.transactional, table })
const tell = (message: object) => process.send?.(message)
const won: string[] = []

process.once('message', async () => {
  const received: Promise<void>[] = []
  for (let copy = 0; copy < Number(copies); copy++) {
    for (let id = 0; id < Number(ids); id++) received.push(receive(`${mode} ${fate} ${id}`))
  }
  await Promise.all(received)
  tell({ won })
  if (fate === 'hang after commit') await delay(600_000)
  process.disconnect()
  await client.close()
})
tell({ ready: true })

async function receive(key: string): Promise<void> {
  if (mode === 'transaction') {
    await transactions.transact(key, (transaction) => handle(key, transaction))
    return
  }
  const token = crypto.randomUUID()
  const claim = await leases.claim(key, token, fate === 'hang' ? 1 : 60)
  if (claim.status !== 'claimed') return
  await handle(key)
  if (!(await leases.complete(key, token))) throw new Error(`The lease of ${key} was lost.`)
}

async function handle(key: string, transaction?: pg.PoolClient): Promise<void> {
  const insert = `INSERT INTO ${table}_effects (key) VALUES ($1)`
  if (transaction) await transaction.query(insert, [key])
  else await client.query(insert, [key])
  won.push(key)
  if (fate !== 'hang') return
  tell({ effect: key })
  await delay(600_000)
}
