import { EventEmitter, once } from 'node:events'
import { failLate } from '@webhook-receiver/checks/postgres.mjs'
import type { TransactionalDeliveryStore } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/adapter'
import { describeTransactions } from '@webhook-receiver/suites/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, postgresStore, postgresTransactionalStore } from '../src/index.ts'
import { rowsIn } from '../src/rows.ts'
import { type Client, leasesBy, transactionsBy } from './clients.ts'
import { effects, table } from './server.ts'

/** Runs every promise of the transactional store, with one client. */
export function describePostgresTransactions<Transaction>(
  open: () => Promise<Client<Transaction>>,
  /** Whether the client has more than one connection. */
  parallel: boolean,
  /** Whether the client rejects a statement on a connection that was closed. postgres.js throws outside of its promise. */
  rejectsClosed = true,
): void {
  describe('postgresTransactionalStore', () => {
    let client: Client<Transaction>
    let store: TransactionalDeliveryStore<Transaction>
    const run = (transaction: Transaction, text: string, ...values: string[]) =>
      client.transactional.query(transaction, text, values)
    const effect = async (transaction: Transaction, key: string) => {
      await run(transaction, `INSERT INTO ${effects} (key) VALUES ($1)`, key)
    }
    const rows = async (key: string): Promise<{ effects: number; marks: number }> => {
      const count = `SELECT
        (SELECT count(*)::int FROM ${effects} WHERE key = $1) AS effects,
        (SELECT count(*)::int FROM ${table} WHERE key = $1) AS marks`
      return Object(rowsIn(await client.query(count, [key]))[0])
    }

    beforeAll(async () => {
      client = await open()
      store = postgresTransactionalStore<Transaction>({ ...transactionsBy(client), table })
      await migrate((text, values) => client.query(text, values), { table })
      await client.query(`CREATE TABLE IF NOT EXISTS ${effects} (key text)`, [])
    })
    afterAll(() => client?.close())

    describeTransactions<Transaction>({
      open: (options) =>
        postgresTransactionalStore<Transaction>({ ...options, ...transactionsBy(client), table }),
      leases: () => postgresStore({ table, ...leasesBy(client) }),
      run,
      effect,
      rowsOf: rows,
      parallel,
    })

    test.runIf(parallel)('a process that starts waits for no transaction', async () => {
      const handle = () => migrate((text, values) => client.query(text, values), { table })
      expect(await store.transact('starting', handle)).toEqual({ status: 'claimed' })
    })

    /** Runs a handler that is abandoned when `hang` resolves, and resolves to the transaction, which it may still use. */
    async function abandon(key: string, hang: (transaction: Transaction) => unknown) {
      const error = rejection('handler_abandoned', { seconds: 900 })
      let used: Transaction | undefined
      const abandoned = store.transact(key, async (transaction) => {
        used = transaction
        await effect(transaction, key)
        await hang(transaction)
        throw error
      })
      await expect(abandoned).rejects.toBe(error)
      return used as Transaction
    }
    const next = (key: string) => () =>
      store.transact(key, (transaction) => effect(transaction, key))

    test.each([
      ['a handler that was abandoned', 'SELECT 1'],
      ['one in whose transaction a statement had failed', 'SELECT 1/0'],
    ])('rolls back %s, and handles the next copy', async (key, text) => {
      const used = await abandon(key, (transaction) => run(transaction, text).then(null, () => {}))
      await expect.poll(next(key)).toEqual({ status: 'claimed' })
      if (rejectsClosed) await expect(effect(used, key)).rejects.toThrow()
      expect(await rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    test.runIf(parallel)('ends the connection of one whose statement never ends', async () => {
      const key = 'never ends'
      // Other runs of these tests may share the server.
      const lock = `SELECT pg_advisory_xact_lock(hashtext($1)) /* ${table} */`
      const waits = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query = '${lock}' AND wait_event_type = 'Lock'`
      const blocker = new EventEmitter()
      const [locked, finished] = [once(blocker, 'locked'), once(blocker, 'finish')]
      const blocking = client.transactional.transaction(async (transaction) => {
        await run(transaction, lock, table)
        blocker.emit('locked')
        await finished
      })
      await locked
      try {
        await abandon(key, async (transaction) => {
          run(transaction, lock, table).then(null, () => {})
          const waiting = async () => rowsIn(await client.query(waits, []))
          await expect.poll(waiting).toEqual([{ count: 1 }])
        })
        await expect.poll(next(key)).toEqual({ status: 'claimed' })
      } finally {
        blocker.emit('finish')
        await blocking
      }
      expect(await rows(key)).toEqual({ effects: 1, marks: 1 })
    })

    test('rejects where the handler went on after a statement that failed', async () => {
      const swallowing = store.transact('swallowed', async (transaction) => {
        await effect(transaction, 'swallowed')
        await Promise.resolve(run(transaction, 'SELECT 1/0')).catch(() => {})
      })
      await expect(swallowing).rejects.toThrow(
        /put the statement into a savepoint|division by zero/,
      )
      expect(await rows('swallowed')).toEqual({ effects: 0, marks: 0 })
    })

    test('says of a constraint that fails in COMMIT what PostgreSQL said', async () => {
      // The second delivery of a connection of a pool may send other messages than the first.
      for (const key of ['late 1', 'late 2']) {
        const ending = store.transact(key, async (transaction) => {
          await failLate((text) => run(transaction, text))
        })
        await expect(ending).rejects.toThrow('"late"')
        expect(await rows(key)).toEqual({ effects: 0, marks: 0 })
      }
    })

    test('looks with `confirm` whether the mark is committed, where it is given', async () => {
      const sent: string[] = []
      const confirming = postgresTransactionalStore<Transaction>({
        ...client.transactional,
        table,
        confirm: (...statement) => {
          sent.push(statement[0])
          return client.query(...statement)
        },
      })
      const claim = await confirming.transact('seen', (transaction) => effect(transaction, 'seen'))
      expect(claim).toEqual({ status: 'claimed' })
      expect(await rows('seen')).toEqual({ effects: 1, marks: 1 })
      // With some clients, only a SELECT gives rows there.
      expect(await confirming.forget('seen')).toBe(true)
      const committing = confirming.transact('ended', async (transaction) => {
        await run(transaction, 'COMMIT')
        throw new Error('late')
      })
      await expect(committing).rejects.toThrow()
      expect(await rows('ended')).toEqual({ effects: 0, marks: 0 })
      expect(sent).toEqual([expect.stringMatching(/^SELECT key, token/)])
    })
  })
}
