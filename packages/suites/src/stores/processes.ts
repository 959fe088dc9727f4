import { createContenders } from '@webhook-receiver/checks/contenders.mjs'
import type { Claim, DeliveryStore, TransactionalDeliveryStore } from '@webhook-receiver/core'
import { afterAll, describe, expect, test } from 'vitest'

interface ProcessSetup<Transaction> {
  /** A program that calls `contend` of checks. */
  readonly program: string
  /** Where its processes find the database. */
  settings(): object
  /** A store on the same database, in this process. */
  store(): DeliveryStore
  /**
   * How many deliveries there are, each in 20 copies.
   * @default 1000
   */
  readonly ids?: number
  /** With a transactional store too. */
  readonly transactions?: TransactionalProcesses<Transaction>
}

interface TransactionalProcesses<Transaction> {
  store(): TransactionalDeliveryStore<Transaction>
  effect(key: string, transaction: Transaction): unknown
  /** How many effects there are of the keys that begin so. */
  effectsOf(prefix: string): number | Promise<number>
  /** Expects what a copy gets while a process holds the transaction. */
  expectHeld(copy: Claim | Promise<Claim>): Promise<void>
}

/** Tests a store with several processes, which are killed at work. */
export function describeProcesses<Transaction>(
  name: string,
  { program, settings, store, ids = 1000, transactions }: ProcessSetup<Transaction>,
): void {
  const { start, go, kill, killAll } = createContenders(program)
  afterAll(killAll)

  /** Starts a process that receives one delivery, and hangs in its handler or behind COMMIT. */
  const startOne = (mode: 'lease' | 'transaction', fate: 'hang' | 'hang after commit') =>
    start({ ...settings(), ids: 1, copies: 1, mode, fate })

  describe(`${name}, with several processes`, { timeout: 300_000 }, () => {
    test.each(transactions ? (['lease', 'transaction'] as const) : (['lease'] as const))(
      `handle ${ids} deliveries once each, of 20 copies at once, by %s`,
      async (mode) => {
        const asked = { ...settings(), ids, copies: 10, mode }
        const processes = await Promise.all([start(asked), start(asked)])
        const results = await Promise.all(processes.map(go))
        const won = results.flatMap((result) => Object(result).won)
        expect([won.length, new Set(won).size]).toEqual([ids, ids])
        if (transactions) expect(await transactions.effectsOf(`${mode} `)).toBe(ids)
      },
    )

    test('a process that is killed with a lease leaves the delivery to the next, when it is over', async () => {
      const child = await startOne('lease', 'hang')
      const key = 'lease hang 0'
      const started = performance.now()
      expect(await go(child)).toEqual({ effect: key })
      await kill(child)
      await expect.poll(() => store().claim(key, 'next', 60)).toEqual({ status: 'claimed' })
      // It was claimed for a second.
      expect(performance.now() - started).toBeGreaterThan(980)
    })

    if (!transactions) return
    const { effect, effectsOf, expectHeld } = transactions

    test('a process that is killed before COMMIT leaves neither effect nor mark', async () => {
      const child = await startOne('transaction', 'hang')
      const key = 'transaction hang 0'
      expect(await go(child)).toEqual({ effect: key })
      const held = transactions.store()
      await expectHeld(held.transact(key, () => expect.unreachable()))
      await kill(child)
      expect(await effectsOf(key)).toBe(0)
      const retry = () =>
        held.transact(key, async (transaction) => void (await effect(key, transaction)))
      await expect.poll(retry).toEqual({ status: 'claimed' })
      expect(await effectsOf(key)).toBe(1)
    })

    test('a process that is killed after COMMIT leaves both', async () => {
      const child = await startOne('transaction', 'hang after commit')
      const key = 'transaction hang after commit 0'
      expect(await go(child)).toEqual({ won: [key] })
      await kill(child)
      expect(await effectsOf(key)).toBe(1)
      const copy = transactions.store().transact(key, () => expect.unreachable())
      expect(await copy).toEqual({ status: 'done' })
    })
  })
}
