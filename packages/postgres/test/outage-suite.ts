import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { type Client, leasesBy, transactionsBy } from './clients.ts'
import { DATABASE_URL, effects, queryPostgres, table } from './server.ts'

/** Disconnects one client from the server, and connects it again. */
export function describeOutages<Transaction>(
  open: (url: string) => Promise<Client<Transaction>>,
): void {
  describe('while PostgreSQL is away', () => {
    let proxy: TcpProxy
    let client: Client<Transaction>
    const stores = () => ({
      leases: postgresStore({ ...leasesBy(client), table }),
      transactions: postgresTransactionalStore({ ...transactionsBy(client), table }),
    })

    beforeAll(async () => {
      proxy = await new TcpProxy(DATABASE_URL).open()
      client = await open(proxy.url)
      await migrate(client.query, { table })
      await queryPostgres(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`)
    })
    afterAll(async () => {
      await client?.close()
      await proxy?.cut()
    })

    test('rejects, and goes on when it is back', async () => {
      const { leases, transactions } = stores()
      const key = crypto.randomUUID()
      expect(await leases.claim(key, 'first', 60)).toEqual({ status: 'claimed' })

      await proxy.cut()
      await expect(leases.complete(key, 'first')).rejects.toThrow()
      await expect(leases.claim(key, 'second', 60)).rejects.toThrow()
      await expect(transactions.transact(key, () => expect.unreachable())).rejects.toThrow()

      await proxy.open()
      const complete = async () => leases.complete(key, 'first')
      await expect.poll(complete).toBe(true)
      const retry = () => transactions.transact(key, () => expect.unreachable()).catch(() => 'away')
      await expect.poll(retry).toEqual({ status: 'done' })
    })

    test('rejects where the result of COMMIT is lost, and the next try finds the truth', async () => {
      const { transactions } = stores()
      const key = crypto.randomUUID()
      const work = async (transaction: Transaction) => {
        const insert = `INSERT INTO ${effects} (key) VALUES ($1)`
        await client.transactional.query(transaction, insert, [key])
      }
      // The first claim of a store sweeps, in a transaction of its own.
      await transactions.transact(crypto.randomUUID(), async () => {})
      proxy.onReply = (reply) => !reply.includes('COMMIT\0')
      await expect(transactions.transact(key, work)).rejects.toThrow()
      proxy.onReply = () => true
      const retry = () => transactions.transact(key, work).catch(() => 'away')
      await expect.poll(retry).toEqual({ status: 'done' })
      expect(await queryPostgres(`SELECT key FROM ${effects} WHERE key = $1`, [key])).toHaveLength(
        1,
      )
    })
  })
}
