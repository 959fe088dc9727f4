import { openPool } from '@webhook-receiver/checks/postgres.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  gate,
  idsOf,
  notYet,
  ormOn,
  quiet,
  reached,
  store,
  until,
  useInbox,
  WAYS,
  type Work,
  withPostgres,
} from './fixture.ts'
import { createPool, DATABASE_URL, poolWith, queryPostgres } from './inboxes.ts'

const { table, pool, pools, settings, inboxOf, handling, started, stop, ...ofHandlers } = useInbox()
const { insert, effectsThere } = ofHandlers

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

withPostgres('a connection that is lost', () => {
  test.each([...WAYS, 'by an ORM whose pool it knows'] as const)(
    'while a handler waits does not end the process, and is the cause of its error, with statements %s',
    async (way) => {
      const behind = new pg.Pool({ connectionString: DATABASE_URL })
      const errors: unknown[] = []
      const lose: Work = async ({ id }, { transaction, attempt }) => {
        if (attempt === 1) await terminate(transaction)
        await insert(transaction, id)
      }
      const inbox = await handling(['evt_1'], lose, {
        ...(way in pools ? {} : ormOn(behind)),
        // On a slow disk, a look of the worker may fail as well, which is reported without an attempt.
        onError: (error, failed) => failed?.attempt === 1 && errors.push(error),
        pool: way in pools ? pools[way as keyof typeof pools] : behind,
      })
      await reached(inbox, 'done', 1)
      await stop()
      await behind.end()
      expect(await effectsThere()).toEqual(['evt_1'])
      expect(errors.map(String)).toEqual([expect.any(String)])
      if (way === 'by an ORM whose pool it knows') return
      // The server's last words reach the statement that is under way, or nobody but the connection.
      const { code, cause } = errors[0] as { code?: string; cause?: { code?: string } }
      expect([code, cause?.code]).toContain('57P01')
    },
  )

  test('while nobody uses it is said, unless the application listens, and does not end the process', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    const idle = new pg.Pool({ connectionString: DATABASE_URL, max: 1 })
    const inbox = postgresInbox({ pool: idle, table, services: {} })
    await inbox.list()
    await terminate(idle)
    const lost = 'An idle connection to PostgreSQL was lost'
    await until(() => expect(said.mock.calls.join()).toContain(lost))
    expect(await inbox.list()).toEqual([])
    // The inbox was the first, and another adds nothing.
    postgresInbox({ pool: idle, table, services: {} })
    expect(idle.listenerCount('error')).toBe(1)
    await idle.end()
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
      const inbox = inboxOf(
        async (_delivery, { transaction, attempt }) => {
          attempts.push(attempt)
          await transaction.query('SELECT')
          await new Promise(quiet)
        },
        {
          ...{ ...orm, attempts: 1, timeout: 0.5 },
          async query(client, text, values) {
            if (/^ROLLBACK|pg_terminate_backend/.test(text)) await ending.wait()
            return orm.query(client, text, values)
          },
        },
      )
      await store(inbox, 'evt_1', customer)
      await started(inbox)
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
    const strict = poolWith('idle_in_transaction_session_timeout=100')
    const wait: Work = async (_delivery, { transaction }) => {
      await until(async () => {
        const idle = await queryPostgres<{ idle: boolean }>(
          "SELECT now() - state_change > interval '300 ms' AS idle FROM pg_stat_activity WHERE pid = $1",
          [Reflect.get(transaction, 'processID')],
        )
        expect(idle[0]?.idle).not.toBe(false)
      })
      await transaction.query('SELECT')
    }
    const inbox = await handling(['evt_1'], wait, { pool: strict })
    const [entry] = await reached(inbox, 'done', 1)
    await stop()
    await strict.end()
    expect(entry?.attempts).toBe(1)
  })
})

withPostgres('a process that ends during a handler', () => {
  /** As a worker leaves it that was killed in its handler, after another has looked for it once. */
  const kill = (id: string, changes = '') =>
    queryPostgres(
      `UPDATE ${table}_open AS open SET attempts = attempts + 1, token = 'killed', lease = date_trunc('second', now())${changes}
       FROM ${table} AS kept WHERE kept.id = open.id AND delivery_id = $1`,
      [id],
    )

  const suspect = (id: string) =>
    queryPostgres(
      `UPDATE ${table}_open AS open SET suspect = true FROM ${table} AS kept WHERE kept.id = open.id AND delivery_id = $1`,
      [id],
    )
  const reserved = `SELECT FROM ${table}_open WHERE due > now() + interval '5 seconds'`

  test('counts as a death, and never as the last attempt: it waits as after a failure, and says so', async () => {
    const [wait, onError, ran] = [vi.fn(() => 3600), vi.fn(), vi.fn()]
    const inbox = inboxOf(ran, { wait, onError, attempts: 1 })
    await store(inbox, 'evt_1')
    await kill('evt_1')
    await started(inbox)
    await until(() => expect(onError).toHaveBeenCalled())
    const [entry] = await inbox.list({ state: 'waiting' })
    const message = 'In attempt 1 the process ended, or lost PostgreSQL, for the first'
    const error = expect.stringContaining(message)
    expect(entry).toMatchObject({ attempts: 1, deaths: 1, error })
    expect(Date.parse(String(entry?.due)) - Date.now()).toBeGreaterThan(3_000_000)
    expect(wait.mock.calls).toEqual([[1]])
    expect(ran).not.toHaveBeenCalled()
    const failed = { id: entry?.id, service: 'stripe', attempt: 1, dead: false }
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: error }), failed]])
  })

  test('runs alone afterwards, so that it takes no other along', async () => {
    const running = new Set<string>()
    const beside: string[] = []
    let due: unknown
    const inbox = inboxOf(async ({ id }, { transaction }) => {
      running.add(id)
      if (running.size > 1 && running.has('poison')) beside.push([...running].join())
      await transaction.query('SELECT pg_sleep(0.01)')
      const suspect = `SELECT due <= now() AS due FROM ${table}_open WHERE deaths = 1`
      if (id === 'poison') due = await transaction.query(suspect)
      running.delete(id)
    })
    for (const id of [...idsOf(30), 'poison']) await store(inbox, id)
    await kill('poison')
    await started(inbox, 6)
    for (const id of idsOf(30, 30)) await store(inbox, id)
    const entries = await reached(inbox, 'done', 61)
    expect(beside).toEqual([])
    // Otherwise the end of its process would be seen as late as its reservation ends.
    expect(due).toMatchObject({ rows: [{ due: true }] })
    const poison = entries.find(({ deliveryId }) => deliveryId === 'poison')
    expect(poison).toMatchObject({ attempts: 2, deaths: 1 })
  })

  test('is left to others by a worker that stops before it has run alone', async () => {
    const { entered, wait, open } = gate()
    const inbox = inboxOf(wait)
    for (const id of ['evt_1', 'poison']) await store(inbox, id)
    await suspect('poison')
    const worker = await inbox.work()
    await entered
    await until(async () => expect(await queryPostgres(reserved)).toHaveLength(1))
    const stopped = worker.stop()
    open()
    await stopped
    expect(await queryPostgres(reserved)).toEqual([])
    expect(await inbox.list({ state: 'waiting' })).toMatchObject([{ attempts: 0 }])
  })

  test('runs once PostgreSQL is back, where that was away as it should begin', async () => {
    const proxy = await new TcpProxy(DATABASE_URL).open()
    const behind = createPool(proxy.url)
    const { entered, wait, open } = gate()
    const ran: string[] = []
    const work: Work = ({ id }) => (id === 'poison' ? ran.push(id) : wait())
    const onError = vi.fn()
    // Its reservation is as long as another handler may run.
    const inbox = inboxOf(work, { pool: behind, timeout: 3600, onError })
    for (const id of ['evt_1', 'poison']) await store(inbox, id)
    await suspect('poison')
    await started(inbox)
    await entered
    await until(async () => expect(await queryPostgres(reserved)).toHaveLength(1))
    await proxy.cut()
    onError.mockClear()
    open()
    await until(() => expect(onError).toHaveBeenCalled())
    await proxy.open()
    await until(() => expect(ran).toEqual(['poison']))
    await stop()
    await behind.end()
    await proxy.cut()
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
    for (const id of ['first', 'killed', ...idsOf(400)]) await store(inbox, id)
    await started(inbox, 1)
    await until(() => expect(ran).toContain('killed'))
    expect(ran.length).toBeLessThan(402)
  })

  test('is dead after the fifth time, whatever attempts it has left, and the next of its key runs', async () => {
    const ran: string[] = []
    const inbox = inboxOf(({ id }) => ran.push(id), { attempts: 100 })
    for (const id of ['poison', 'next']) await store(inbox, id, 'a')
    await kill('poison', ', deaths = 4, suspect = true')
    await started(inbox)
    await reached(inbox, 'done', 1)
    expect(ran).toEqual(['next'])
    expect(await inbox.list({ state: 'dead' })).toMatchObject([
      { attempts: 1, deaths: 5, error: expect.stringContaining('for the fifth time') },
    ])
  })
})

withPostgres('a handler that fails after its lease', () => {
  test('is no killed worker to those who look between its roll-back and the record of that', async () => {
    const rolledBack = gate()
    const orm = ormOn(pool)
    const onError = vi.fn()
    const inbox = inboxOf(notYet, {
      ...{ ...orm, attempts: 1, onError },
      async transaction(work) {
        try {
          await orm.transaction(work)
        } catch (error) {
          await rolledBack.wait()
          throw error
        }
      },
      // The look of the worker needs no transaction.
      pool,
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await rolledBack.entered
    await queryPostgres(`UPDATE ${table}_open SET lease = now()`)
    await until(async () => {
      const looked = await queryPostgres(`SELECT FROM ${table}_open WHERE lease > now()`)
      expect(looked).toHaveLength(1)
    })
    rolledBack.open()
    const [entry] = await reached(inbox, 'dead', 1)
    expect(entry?.error).toContain('Not yet.')
    expect(entry).not.toHaveProperty('deaths')
    // It is called when the row is written.
    await until(() => expect(onError).toHaveBeenCalledOnce())
  })
})

withPostgres('a claim that is lost', () => {
  test.each([
    ['its handler begins', (ran: () => void) => ran],
    ['it ends without a handler', (ran: () => void) => ({ 'invoice.created': ran })],
  ])('before %s is left to the other worker, with words on why', async (_when, handlersOf) => {
    vi.spyOn(console, 'warn').mockImplementation(quiet)
    const { entered, wait, open } = gate()
    const [onError, ran] = [vi.fn(), vi.fn()]
    const orm = ormOn(pool)
    const inbox = postgresInbox({
      ...{ ...settings, ...orm, pool, onError },
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
      `UPDATE ${table}_open SET token = 'other', lease = now() + interval '1 hour', deaths = 1, suspect = true`,
    )
    open()
    await until(() => expect(onError).toHaveBeenCalledOnce())
    const [[error, failed]] = onError.mock.calls as [[Error, object]]
    expect(error.message).toContain('The claim of this delivery was lost before its handler began')
    expect(failed).toMatchObject({ dead: false })
    expect(ran).not.toHaveBeenCalled()
    const [entry] = await reached(inbox, 'running', 1)
    // This process has not ended, whatever was made of its claim.
    expect(entry).toMatchObject({ attempts: 0 })
    expect(entry).not.toHaveProperty('deaths')
  })
})

withPostgres('a transaction that does not begin in time', () => {
  test('is reported with what caused it', async () => {
    const orm = ormOn(pool)
    const beginning = gate()
    const onError = vi.fn()
    const inbox = inboxOf(quiet, {
      ...{ ...orm, pool, onError },
      async transaction(work) {
        await beginning.wait()
        await orm.transaction(work)
      },
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await until(() => expect(String(onError.mock.calls)).toContain('did not respond within 2 s'))
    beginning.open()
    await reached(inbox, 'done', 1)
  })
})

withPostgres('a row that is locked for a moment', () => {
  test('as by the look of another worker, is waited for by its handler', async () => {
    const orm = ormOn(pool)
    const holding = gate()
    const hold = vi.fn(holding.wait)
    const inbox = await handling(['evt_1'], quiet, {
      ...orm,
      async query(client, text, values) {
        if (text.startsWith('SELECT pg_backend_pid()')) await hold()
        return orm.query(client, text, values)
      },
    })
    await holding.entered
    const other = await pool.connect()
    await other.query(`BEGIN; SELECT FROM ${table}_open FOR NO KEY UPDATE`)
    holding.open()
    await waitsForLock()
    await other.query('COMMIT')
    other.release()
    await reached(inbox, 'done', 1)
    expect(hold).toHaveBeenCalledOnce()
  })
})

withPostgres('what the application throws', () => {
  test('onError that rejects is printed, after the failure was recorded', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    let seen: unknown
    const inbox = inboxOf(notYet, {
      attempts: 1,
      onError: async (_error, failed) => {
        seen = await inbox.show(String(failed?.id))
        throw new Error('No log.')
      },
    })
    await store(inbox, 'evt_1')
    await started(inbox)
    await until(() => expect(said.mock.calls.join()).toContain('`onError` threw an error'))
    expect(seen).toMatchObject({ state: 'dead', error: expect.stringContaining('Not yet.') })
  })

  test.each([
    ['throws', notYet],
    ['is below zero', () => -1],
  ])('a wait that %s is printed, and the delivery waits for its standard time', async (_, wait) => {
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    await reached(await handling(['evt_1'], notYet, { wait, attempts: 2 }), 'dead', 1)
    expect(said.mock.calls.join()).toContain('`wait` should return seconds')
  })
})

withPostgres('where transactions are serializable by default', () => {
  test.each(['a pool', 'an ORM'])('each of 100 deliveries runs once, with %s', async (how) => {
    const strict = poolWith('default_transaction_isolation=serializable')
    const ran = vi.fn()
    const inbox = inboxOf(ran, how === 'a pool' ? { pool: strict } : ormOn(strict))
    for (const _ of [1, 2]) await started(inbox)
    const storing = idsOf(20).map(async (customer) => {
      for (const at of idsOf(5)) await store(inbox, `${customer} ${at}`, customer)
    })
    await Promise.all(storing)
    await reached(inboxOf(quiet), 'done', 100)
    await stop()
    await strict.end()
    expect(ran).toHaveBeenCalledTimes(100)
  })
})

withPostgres('a handler that PostgreSQL rolls back', () => {
  test('because of others, as in a deadlock, has not used an attempt', async () => {
    const errors: string[] = []
    const lock: Work = async ({ id }, { transaction, attempt }) => {
      await insert(transaction, `${id} ${attempt}`)
      if (errors.length === 0) {
        await transaction.query("DO 'BEGIN RAISE EXCEPTION SQLSTATE ''40P01''; END'")
      }
    }
    const onError = (error: unknown) => errors.push(String(error))
    const inbox = await handling(['evt_1'], lock, { attempts: 1, onError })
    const [entry] = await reached(inbox, 'done', 1)
    expect(errors).toEqual([expect.stringContaining('because of a deadlock (40P01)')])
    expect(await effectsThere()).toEqual(['evt_1 1'])
    expect(entry).not.toHaveProperty('error')
    await stop()
    expect(pool.totalCount).toBeGreaterThan(0)
  })

  test('in every attempt is dead in the end: an hour after it came, these count', async () => {
    const conflict: Work = async (_, { transaction }) => {
      await transaction.query("DO 'BEGIN RAISE EXCEPTION SQLSTATE ''40001''; END'")
    }
    const inbox = inboxOf(conflict)
    await store(inbox, 'evt_1')
    await queryPostgres(`UPDATE ${table} SET received_at = now() - interval '61 minutes'`)
    const [entry] = await reached(await started(inbox), 'dead', 1)
    expect(entry).toMatchObject({
      attempts: 3,
      error: expect.stringContaining('because of a serialization failure (40001).\n'),
    })
  })
})

withPostgres('in a database whose encoding lacks characters, such as LATIN1', () => {
  test('a delivery and an error are stored with escapes', async () => {
    const name = `${table}_latin1`
    await queryPostgres(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    const url = new URL(DATABASE_URL)
    url.pathname = name
    const latin = new pg.Pool({ connectionString: url.href })
    onTestFinished(async () => {
      await stop()
      await latin.end()
      await queryPostgres(`DROP DATABASE ${name}`)
    })
    const fail: Work = ({ data }) => {
      throw new Error(`${data.customer} failed`)
    }
    const inbox = inboxOf(fail, { pool: latin, attempts: 2 })
    await inbox.setup()
    await store(inbox, 'evt_1', 'Zoë 😀')
    const [entry] = await reached(await started(inbox), 'dead', 1)
    expect(entry).toMatchObject({
      attempts: 2,
      error: expect.stringContaining('Error: Zo\\u00eb \\ud83d\\ude00 failed'),
    })
    expect(await inbox.show('1')).toMatchObject({ delivery: { data: { customer: 'Zoë 😀' } } })
  })
})
