import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gate, idsOf, notYet, quiet, reached, store, useInbox, withPostgres } from './fixture.ts'
import { poolWith, queryPostgres, tables } from './inboxes.ts'
import { createSessions } from './sessions.ts'

/** In full: `EVERYTHING=1 npx vitest run packages/inbox/test/order.test.ts`. */
const FULL = process.env.EVERYTHING === '1'
const DEPTH = FULL ? 8 : 4
const RANDOM = FULL ? 100_000 : 60
const LONGEST = 24

withPostgres('of one key', () => {
  const sessions = createSessions(tables().table)
  beforeAll(sessions.open)
  afterAll(sessions.close)

  const isRight = async (order: readonly number[]) =>
    expect(await sessions.run(order), `in the order ${order}`).toBeUndefined()

  test(`whatever the order in which three sessions make ${DEPTH} steps, the oldest is awake in the end`, {
    timeout: 7_200_000,
  }, async () => {
    for (let number = 0; number < 3 ** DEPTH; number++)
      await isRight(Array.from({ length: DEPTH }, (_, at) => Math.floor(number / 3 ** at) % 3))
  })

  test(`nor in any of ${RANDOM} random orders of up to ${LONGEST} steps`, {
    timeout: 14_400_000,
  }, async () => {
    // Lehmer's generator: the same orders each time.
    let state = 20_261_127
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    for (let run = 0; run < RANDOM; run++)
      await isRight(Array.from({ length: 1 + random(LONGEST) }, () => random(3)))
  })
})

withPostgres('while a handler runs', () => {
  const { table, inboxOf, started } = useInbox()

  test('storing another delivery of its key waits for no lock, and neither does a copy', async () => {
    const { entered, wait, open } = gate()
    const inbox = await started(inboxOf(({ id }) => (id === 'first' ? wait() : undefined)))
    await store(inbox, 'first', 'a')
    await entered
    const impatient = poolWith('lock_timeout=1')
    const { rows } = await impatient.query("SELECT current_setting('lock_timeout') AS timeout")
    expect(rows).toEqual([{ timeout: '1ms' }])
    const receiver = inboxOf(quiet, { table, pool: impatient })
    for (const id of idsOf(50)) {
      for (const _ of [1, 2]) await store(receiver, id, 'a')
      await setImmediate()
    }
    await impatient.end()
    open()
    await reached(inbox, 'done', 51)
    const order = await queryPostgres<{ delivery_id: string }>(
      `SELECT delivery_id FROM ${table} JOIN ${table}_ended USING (id) ORDER BY finished_at`,
    )
    expect(order.map(({ delivery_id: id }) => id)).toEqual(['first', ...idsOf(50)])
  })
})

withPostgres('a key that somebody made', () => {
  const { inboxOf, started } = useInbox()

  test('to have the hash of another does not hold that one up', async () => {
    const keys = ['victim_of_another', 'aagyj!DRuE1z9q#{5']
    const hashes = keys.map((key) => `hashtextextended('stripe:${key}', 0)`)
    expect(await queryPostgres(`SELECT ${hashes.join(' = ')} AS same`)).toEqual([{ same: true }])
    const { entered, wait, open } = gate()
    const inbox = await started(inboxOf(({ id }) => (id === 'attack' ? wait() : undefined)))
    await store(inbox, 'attack', keys[1])
    await entered
    await store(inbox, 'victim', keys[0])
    await reached(inbox, 'done', 1)
    open()
    await reached(inbox, 'done', 2)
  })
})

withPostgres('the content of deliveries', () => {
  const { table, inboxOf, started } = useInbox()

  test('is written once, whatever fails and is retried', async () => {
    const inbox = await started(inboxOf((_delivery, { attempt }) => attempt < 3 && notYet()))
    for (const [at, id] of idsOf(50).entries()) await store(inbox, id, `cus_${at % 5}`)
    await reached(inbox, 'done', 50)
    await inbox.retry({ state: 'done' })
    await reached(inbox, 'done', 50)
    const [stats] = await queryPostgres(
      'SELECT n_tup_upd::integer + n_tup_del::integer AS changed FROM pg_stat_user_tables WHERE relname = $1',
      [table],
    )
    expect(stats).toMatchObject({ changed: 0 })
  })
})
