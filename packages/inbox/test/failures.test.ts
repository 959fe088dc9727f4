import diagnostics from 'node:diagnostics_channel'
import { openPool } from '@webhook-receiver/checks/postgres.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import pg from 'pg'
import postgres from 'postgres'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  gate,
  ormOf,
  ormOn,
  quiet,
  reached,
  store,
  until,
  useInbox,
  WAYS,
  withPostgres,
} from './fixture.ts'
import { DATABASE_URL, queryPostgres } from './inboxes.ts'

const { table, pool, pools, settings, inboxOf, started, stop, insert, effectsThere } = useInbox()

/** Ends a connection from outside. */
async function terminate(client: pg.PoolClient | pg.Pool) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  await queryPostgres('SELECT pg_terminate_backend($1)', [rows[0].pid])
}

/** Waits until a statement of the inbox waits for another session. */
const waitsForLock = () =>
  until(async () => {
    const waiting = await queryPostgres(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${table}_open%'`,
    )
    expect(waiting).toHaveLength(1)
  })

const notYet = () => {
  throw new Error('Not yet.')
}

withPostgres('a connection that is lost', () => {
  test.each(WAYS)(
    'while a handler waits does not end the process, and is the cause of its error, with statements %s',
    async (way) => {
      const errors: unknown[] = []
      const inbox = await started(
        inboxOf(
          async ({ id }, { transaction, attempt }) => {
            if (attempt === 1) await terminate(transaction)
            await insert(transaction, id)
          },
          { onError: (error) => errors.push(error), pool: pools[way] },
        ),
      )
      await store(inbox, 'evt_1')
      await reached(inbox, 'done', 1)
      expect(await effectsThere()).toEqual(['evt_1'])
      expect(errors).toHaveLength(1)
      // The server's last words reach the statement that is under way, or nobody but the connection.
      const { code, cause } = errors[0] as { code?: string; cause?: { code?: string } }
      expect([code, cause?.code]).toContain('57P01')
    },
  )

  test('while nobody uses it is said, and does not end the process', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    const idle = new pg.Pool({ connectionString: DATABASE_URL, max: 1 })
    const inbox = postgresInbox({ pool: idle, table, services: {} })
    await inbox.list()
    await terminate(idle)
    await until(() =>
      expect(said.mock.calls.join()).toContain('An idle connection to PostgreSQL was lost'),
    )
    expect(await inbox.list()).toEqual([])
    await idle.end()
  })

  test('of a pool with a listener is said by that one alone', async () => {
    const own = new pg.Pool({ connectionString: DATABASE_URL, max: 1 })
    const heard = vi.fn()
    own.on('error', heard)
    postgresInbox({ pool: own, table, services: {} })
    expect(own.listenerCount('error')).toBe(1)
    await own.end()
  })

  test('of an ORM does not end the process, if the inbox knows its pool', async () => {
    const behind = new pg.Pool({ connectionString: DATABASE_URL })
    const inbox = await started(
      inboxOf(
        async ({ id }, { transaction, attempt }) => {
          if (attempt === 1) await terminate(transaction)
          await insert(transaction, id)
        },
        { ...ormOn(behind), pool: behind },
      ),
    )
    await store(inbox, 'evt_1')
    await reached(inbox, 'done', 1)
    await stop()
    await behind.end()
    expect(await effectsThere()).toEqual(['evt_1'])
  })
})

withPostgres('a handler that runs too long', () => {
  test('gives back its connection also where the pool of an ORM has no other', async () => {
    // postgres.js ends the process here, as the README says.
    const two = openPool({ connectionString: DATABASE_URL, max: 2 })
    let hang = true
    const inbox = inboxOf(
      async ({ id }, { transaction }) => {
        if (hang) await new Promise(quiet)
        await insert(transaction, id)
      },
      { ...ormOn(two), timeout: 0.5, attempts: 100 },
    )
    for (const id of ['evt_1', 'evt_2']) await store(inbox, id)
    await started(inbox, 2)
    const reader = inboxOf(quiet)
    await reached(reader, 'running', 2)
    hang = false
    await reached(reader, 'done', 2)
    await stop()
    await two.end()
    expect((await effectsThere()).sort()).toEqual(['evt_1', 'evt_2'])
  })

  test.each([undefined, 'a'])(
    'in its last attempt is not started again while its transaction ends, with the key %s',
    async (customer) => {
      const attempts: number[] = []
      const three = openPool({ connectionString: DATABASE_URL, max: 3 })
      const orm = ormOn(three)
      const ending = gate()
      const inbox = await started(
        inboxOf(
          async (_delivery, { transaction, attempt }) => {
            attempts.push(attempt)
            await transaction.query('SELECT')
            await new Promise(quiet)
          },
          {
            ...orm,
            ...{ attempts: 1, timeout: 0.5 },
            async query(client, text, values) {
              if (/^ROLLBACK|pg_terminate_backend/.test(text)) await ending.wait()
              return orm.query(client, text, values)
            },
          },
        ),
      )
      await store(inbox, 'evt_1', customer)
      await ending.entered
      // What is recorded waits for the transaction.
      await waitsForLock()
      ending.open()
      await reached(inbox, 'dead', 1)
      await stop()
      await three.end()
      expect(attempts).toEqual([1])
    },
  )

  test('may wait longer than the server leaves a transaction idle', async () => {
    const url = new URL(DATABASE_URL)
    url.searchParams.set('options', '-c idle_in_transaction_session_timeout=100')
    const strict = new pg.Pool({ connectionString: url.href })
    const attempts: number[] = []
    const inbox = await started(
      inboxOf(
        async ({ id }, { transaction, attempt }) => {
          attempts.push(attempt)
          await until(async () => {
            const idle = await queryPostgres<{ idle: boolean }>(
              "SELECT now() - state_change > interval '300 ms' AS idle FROM pg_stat_activity WHERE pid = $1",
              [Reflect.get(transaction, 'processID')],
            )
            expect(idle[0]?.idle).not.toBe(false)
          })
          await insert(transaction, id)
        },
        { pool: strict },
      ),
    )
    await store(inbox, 'evt_1')
    await reached(inbox, 'done', 1)
    await stop()
    await strict.end()
    expect(attempts).toEqual([1])
  })
})

withPostgres('a handler that fails', () => {
  test.each(WAYS)('reports that its roll-back failed, too, with statements %s', async (way) => {
    const calls: unknown[] = []
    const listen = (call: unknown) => void calls.push(call)
    diagnostics.subscribe('webhook-receiver:store', listen)
    onTestFinished(() => void diagnostics.unsubscribe('webhook-receiver:store', listen))
    const inbox = inboxOf(
      async (_delivery, { transaction }) => {
        await terminate(transaction)
        throw new Error('No.')
      },
      { attempts: 1, pool: pools[way] },
    )
    await store(inbox, 'evt_1')
    await started(inbox)
    const [letter] = await reached(inbox, 'dead', 1)
    expect(letter?.error).toContain('No.')
    expect(calls).toMatchObject([
      { operation: 'begin', result: 'claimed' },
      { operation: 'rollback', result: 'failed' },
    ])
  })
})

withPostgres('a process that ends during a handler', () => {
  /** As a worker leaves it that was killed in its handler. */
  const kill = (id: string, changes = '') =>
    queryPostgres(
      `UPDATE ${table}_open AS open SET attempts = attempts + 1, token = 'killed', lease = now()${changes}
       FROM ${table} AS kept WHERE kept.id = open.id AND delivery_id = $1`,
      [id],
    )

  test('counts as a death: it waits as after a failure, and says so', async () => {
    const waits: number[] = []
    const errors: unknown[] = []
    const ran = vi.fn()
    const inbox = inboxOf(ran, {
      wait: (attempt) => {
        waits.push(attempt)
        return 3600
      },
      onError: (error, failed) => errors.push([String(error), failed]),
    })
    await store(inbox, 'evt_1')
    await kill('evt_1')
    await started(inbox)
    const entry = await until(async () => {
      const [found] = await inbox.list({ state: 'waiting' })
      expect(found).toHaveProperty('deaths', 1)
      return found
    })
    expect(entry).toMatchObject({
      attempts: 1,
      error: expect.stringContaining('the process ended'),
    })
    expect(Date.parse(String(entry?.due)) - Date.now()).toBeGreaterThan(3_000_000)
    expect(waits).toEqual([1])
    expect(ran).not.toHaveBeenCalled()
    await until(() => expect(errors).toHaveLength(1))
    expect(errors).toEqual([
      [
        expect.stringContaining(
          'In attempt 1 the process ended, or lost PostgreSQL, for the first',
        ),
        { id: entry?.id, service: 'stripe', attempt: 1, dead: false },
      ],
    ])
  })

  test('runs alone afterwards, so that it takes no other along', async () => {
    const running = new Set<string>()
    const beside: string[] = []
    let due: unknown
    const inbox = inboxOf(async ({ id }, { transaction }) => {
      running.add(id)
      if (running.size > 1 && running.has('poison')) beside.push([...running].join())
      await transaction.query('SELECT pg_sleep(0.01)')
      if (id === 'poison') {
        const open = `${table}_open`
        due = await transaction.query(`SELECT due <= now() AS due FROM ${open} WHERE deaths = 1`)
      }
      running.delete(id)
    })
    for (let at = 0; at < 30; at++) await store(inbox, `evt_${at}`)
    await store(inbox, 'poison')
    await kill('poison')
    await started(inbox, 6)
    for (let at = 30; at < 60; at++) await store(inbox, `evt_${at}`)
    await reached(inbox, 'done', 61)
    expect(beside).toEqual([])
    // Otherwise the end of its process would be seen as late as its reservation ends.
    expect(due).toMatchObject({ rows: [{ due: true }] })
    const poison = (await inbox.list()).find(({ deliveryId }) => deliveryId === 'poison')
    expect(poison).toMatchObject({ state: 'done', attempts: 2, deaths: 1 })
  })

  test('is noticed beside many others, also where the clock is set back', async () => {
    const ran: string[] = []
    const inbox = inboxOf(async ({ id }, { transaction }) => {
      ran.push(id)
      if (id === 'first') {
        await kill('killed')
        vi.spyOn(Date, 'now').mockReturnValue(0)
      }
      await transaction.query('SELECT pg_sleep(0.005)')
    })
    for (const id of ['first', 'killed']) await store(inbox, id)
    for (let at = 0; at < 400; at++) await store(inbox, `evt_${at}`)
    await started(inbox, 1)
    await until(() => expect(ran).toContain('killed'))
    expect(ran.length).toBeLessThan(402)
  })

  test('is dead after the fifth time, whatever attempts it has left, and the next of its key runs', async () => {
    const ran: string[] = []
    const inbox = inboxOf(({ id }) => ran.push(id), { attempts: 100 })
    await store(inbox, 'poison', 'a')
    await store(inbox, 'next', 'a')
    await kill('poison', ', deaths = 4, suspect = true')
    await started(inbox)
    await reached(inbox, 'done', 1)
    expect(ran).toEqual(['next'])
    const [letter] = await inbox.list({ state: 'dead' })
    expect(letter).toMatchObject({ deliveryId: 'poison', attempts: 1, deaths: 5 })
    expect(letter?.error).toContain('for the fifth time')
  })

  test('in its last attempt leaves a dead letter', async () => {
    const inbox = inboxOf(quiet, { attempts: 1 })
    await store(inbox, 'evt_1')
    await kill('evt_1')
    await started(inbox)
    await reached(inbox, 'dead', 1)
  })
})

withPostgres('a claim that is lost', () => {
  test.each([
    ['its handler begins', (ran: () => void) => ran],
    ['it ends without a handler', (ran: () => void) => ({ 'invoice.created': ran })],
  ])('before %s is left to the other worker, with words on why', async (_when, handlersOf) => {
    vi.spyOn(console, 'warn').mockImplementation(quiet)
    const { entered, wait, open } = gate()
    const errors: unknown[] = []
    const ran = vi.fn()
    const orm = ormOn(pool)
    const inbox = postgresInbox({
      ...{ ...settings, ...orm, pool },
      onError: (error, failed) => errors.push([String(error), failed?.dead]),
      async transaction(work: Parameters<typeof orm.transaction>[0]) {
        await wait()
        await orm.transaction(work)
      },
      services: { stripe: { scheme: stripe, handlers: handlersOf(ran) } },
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await entered
    await queryPostgres(
      `UPDATE ${table}_open SET token = 'other', lease = now() + interval '1 hour'`,
    )
    open()
    await until(() => expect(errors).toHaveLength(1))
    const lost = 'The claim of this delivery was lost before its handler began'
    expect(errors).toEqual([[expect.stringContaining(lost), false]])
    expect(ran).not.toHaveBeenCalled()
    expect(await inbox.list({ state: 'running' })).toHaveLength(1)
  })
})

withPostgres('a row that is locked for a moment', () => {
  test('as by the look of another worker, is waited for by its handler', async () => {
    const orm = ormOn(pool)
    const holding = gate()
    let holds = 0
    const inbox = inboxOf(quiet, {
      ...orm,
      async query(client, text, values) {
        if (text.startsWith('SELECT pg_backend_pid()')) {
          holds++
          await holding.wait()
        }
        return orm.query(client, text, values)
      },
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await holding.entered
    const other = await pool.connect()
    await other.query(`BEGIN; SELECT FROM ${table}_open FOR NO KEY UPDATE`)
    holding.open()
    await waitsForLock()
    await other.query('COMMIT')
    other.release()
    await reached(inbox, 'done', 1)
    expect(holds).toBe(1)
  })
})

withPostgres('what the application throws', () => {
  test('onError that rejects is printed, after the failure was recorded', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    const seen: unknown[] = []
    const inbox = inboxOf(notYet, {
      attempts: 1,
      onError: async (_error, failed) => {
        seen.push(await inbox.show(String(failed?.id)))
        throw new Error('No log.')
      },
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await until(() => expect(said.mock.calls.join()).toContain('`onError` threw an error'))
    expect(seen).toMatchObject([{ state: 'dead', error: expect.stringContaining('Not yet.') }])
  })

  test.each([
    ['throws', notYet],
    ['is below zero', () => -1],
  ])(
    'a wait that %s is printed, and the delivery waits for its standard time',
    async (_how, wait) => {
      const said = vi.spyOn(console, 'error').mockImplementation(quiet)
      const inbox = inboxOf(notYet, { wait, attempts: 2 })
      await store(inbox, 'evt_1')
      await started(inbox)
      await reached(inbox, 'dead', 1)
      expect(said.mock.calls.join()).toContain('`wait` should return seconds')
    },
  )
})

withPostgres('where transactions are serializable by default', () => {
  const url = new URL(DATABASE_URL)
  url.searchParams.set('options', '-c default_transaction_isolation=serializable')

  test.each(['a pool', 'an ORM'])('each of 100 deliveries runs once, with %s', async (how) => {
    const strict = new pg.Pool({ connectionString: url.href })
    const sql = postgres(DATABASE_URL, {
      onnotice: quiet,
      connection: { default_transaction_isolation: 'serializable' },
    })
    let runs = 0
    const count = () => {
      runs++
    }
    const services = {
      stripe: {
        ...{ scheme: stripe, handlers: count },
        key: ({ data }: { data: Readonly<Record<string, unknown>> }) => String(data.customer),
      },
    }
    const inbox =
      how === 'a pool'
        ? postgresInbox({ ...settings, pool: strict, services })
        : postgresInbox({ ...settings, ...ormOf(sql), services })
    const workers = [await inbox.work({ concurrency: 4 }), await inbox.work({ concurrency: 4 })]
    await Promise.all(
      Array.from({ length: 20 }, async (_, customer) => {
        for (let at = 0; at < 5; at++) {
          const id = `evt_${customer}_${at}`
          await store(inbox, id, `cus_${customer}`)
        }
      }),
    )
    await reached(inboxOf(quiet), 'done', 100)
    await Promise.all(workers.map((worker) => worker.stop()))
    await Promise.all([strict.end(), sql.end()])
    expect(runs).toBe(100)
  })
})

withPostgres('a handler that PostgreSQL rolls back', () => {
  test('because of others, as in a deadlock, has not used an attempt', async () => {
    const errors: string[] = []
    const inbox = await started(
      inboxOf(
        async ({ id }, { transaction, attempt }) => {
          await insert(transaction, `${id} ${attempt}`)
          if (errors.length === 0) {
            await transaction.query("DO 'BEGIN RAISE EXCEPTION SQLSTATE ''40P01''; END'")
          }
        },
        { attempts: 1, onError: (error) => errors.push(String(error)) },
      ),
    )
    await store(inbox, 'evt_1')
    await reached(inbox, 'done', 1)
    expect(errors).toEqual([expect.stringContaining('because of a deadlock (40P01)')])
    expect(await effectsThere()).toEqual(['evt_1 1'])
    const [entry] = await inbox.list()
    expect(entry).not.toHaveProperty('error')
    await stop()
    expect(pool.totalCount).toBeGreaterThan(0)
  })
})
