import { failLate } from '@webhook-receiver/checks/postgres.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { webhookHandler } from '@webhook-receiver/core'
import { sampleDelivery, signedRequest } from '@webhook-receiver/core/testing'
import { postgresInbox } from '@webhook-receiver/inbox'
import { github, stripe } from '@webhook-receiver/schemes'
import type pg from 'pg'
import postgres from 'postgres'
import { describe, expect, test, vi } from 'vitest'
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
import {
  createPool,
  DATABASE_URL,
  queryPostgres,
  stripeDelivery,
  tables,
  tablesOfInbox,
  unreachable,
  verified,
} from './inboxes.ts'

const inboxes = useInbox()
const { table, effects, pool, pools, settings, inboxOf, handling, started, stop } = inboxes
const { insert, effectsThere } = inboxes

const SECRET = 'shared by hand with the service'

const idsIn = (entries: readonly { readonly deliveryId?: string | undefined }[]) =>
  entries.map(({ deliveryId }) => deliveryId)

function inboxOfGithub(duplicates: 'id' | 'body' | undefined) {
  const services = { github: { scheme: github, handlers: quiet, duplicates } }
  return postgresInbox({ ...settings, services })
}

/** Ends the connection of a handler. */
const disconnect = (transaction: pg.PoolClient) =>
  transaction.query('SELECT pg_terminate_backend(pg_backend_pid())')

/** Sets since when a delivery is due, in seconds. */
const postpone = (id: string, since: number) =>
  queryPostgres(
    `UPDATE ${table}_open AS open SET due = now() - make_interval(secs => $1) FROM ${table} AS kept
     WHERE kept.id = open.id AND delivery_id = $2`,
    [since, id],
  )

describe('for a service that does not sign the id of a delivery', () => {
  type Store = ReturnType<ReturnType<typeof inboxOfGithub>['receive']>
  const options = { scheme: github } as const
  const missing = '`duplicates` is missing'

  test.each([
    ['the handler', (store: Store) => store],
    ['the handler of all others', (any: Store) => ({ push: quiet, any })],
  ])('an inbox that is %s asks which are the same, as a store does', (_what, handlersOf) => {
    const undecided = inboxOfGithub(undefined).receive('github')
    expect(() => webhookHandler(SECRET, handlersOf(undecided), options)).toThrow(missing)
    webhookHandler(SECRET, handlersOf(undecided), { ...options, duplicates: 'body' })
    const decided = inboxOfGithub('body').receive('github')
    webhookHandler(SECRET, handlersOf(decided), options)
  })

  test('two inboxes with different `duplicates` do not share a receiver that has none', () => {
    const [push, any] = (['id', 'body'] as const).map((duplicates) =>
      inboxOfGithub(duplicates).receive('github'),
    )
    expect(() => webhookHandler(SECRET, { push, any }, options)).toThrow('of several inboxes')
    webhookHandler(SECRET, { push, any }, { ...options, duplicates: 'body' })
  })

  test('it asks when it gets a key without a word on how that was made', async () => {
    const store = inboxOfGithub(undefined).receive('github')
    const verification = { endpoint: 'github', key: 'a' }
    await expect(store({ scheme: 'github', data: {} }, { verification })).rejects.toThrow(missing)
  })

  test.skipIf(unreachable !== undefined).each([
    [undefined, undefined, 500],
    ['body', undefined, 500],
    ['id', undefined, 204],
    [undefined, 'body', 204],
  ] as const)(
    'an inbox with %s, behind a function of a receiver with %s, gets %i',
    async (own, duplicates, status) => {
      const inbox = inboxOfGithub(own)
      const onError = vi.fn()
      const post = webhookHandler(SECRET, (...given) => inbox.receive('github')(...given), {
        ...{ ...options, duplicates, onError },
      })
      const signing = { ...options, secret: SECRET, id: 'a' }
      expect((await post(await signedRequest('push', {}, signing))).status).toBe(status)
      expect(String(onError.mock.calls[0] ?? missing)).toContain(missing)
      expect(await inbox.list()).toHaveLength(status === 204 ? 1 : 0)
    },
  )
})

withPostgres('an inbox', () => {
  test('says what no handler is for, and is done with it', async () => {
    const onIgnored = vi.fn()
    const services = { stripe: { scheme: stripe, handlers: { 'invoice.created': quiet } } }
    const inbox = await started(postgresInbox({ ...settings, onIgnored, services }))
    await store(inbox, 'evt_1')
    await reached(inbox, 'done', 1)
    expect(onIgnored.mock.calls).toMatchObject([[{ event: 'invoice.paid' }]])
  })

  test('stores a delivery of Stripe once, and responds with the success of its scheme', async () => {
    const handled = vi.fn()
    const inbox = inboxOf(handled)
    const post = webhookHandler(SECRET, inbox.receive('stripe'), { scheme: stripe })
    const data = { id: 'evt_1', type: 'invoice.paid', customer: 'cus_1' }
    const send = async () => {
      const request = await signedRequest(data.type, data, { secret: SECRET, scheme: stripe })
      return (await post(request)).status
    }
    expect(await Promise.all([send(), send(), send()])).toEqual([204, 204, 204])
    const { id, type: event } = data
    const waiting = { key: 'stripe:evt_1', state: 'waiting', attempts: 0 }
    expect(await inbox.list()).toMatchObject([
      { ...waiting, service: 'stripe', event, deliveryId: id },
    ])
    await started(inbox)
    await reached(inbox, 'done', 1)
    expect(await send()).toBe(204)
    expect(handled.mock.calls.map(([delivery]) => delivery)).toEqual([
      { scheme: 'stripe', id, event, data },
    ])
  })

  test('what comes at once is stored by few statements, each once and in the order in which it came', async () => {
    const sent = vi.spyOn(pool, 'query')
    const inbox = inboxOf(quiet)
    const ids = idsOf(300)
    await Promise.all(ids.flatMap((id) => [1, 2].map(() => store(inbox, id, 'cus_1'))))
    // The first goes alone, and the others by a hundred.
    expect(sent).toHaveBeenCalledTimes(7)
    expect(idsIn(await inbox.list({ limit: 1000 })).reverse()).toEqual(ids)
    const awake = await queryPostgres(`SELECT id FROM ${table}_open WHERE due IS NOT NULL`)
    expect(awake).toHaveLength(1)
  })

  test('a delivery that PostgreSQL rejects gets 503, and those that came with it are stored', async () => {
    await queryPostgres(`ALTER TABLE ${table} ADD CONSTRAINT good CHECK (delivery_id <> 'bad')`)
    const inbox = inboxOf(quiet)
    const ids = ['first', 'evt_1', 'bad', 'evt_2']
    const stored = await Promise.allSettled(ids.map((id) => store(inbox, id)))
    await queryPostgres(`ALTER TABLE ${table} DROP CONSTRAINT good`)
    const done = { status: 'fulfilled' }
    const bad = { reason: { reason: 'store_unavailable', status: 503 } }
    expect(stored).toMatchObject([done, done, bad, done])
    expect(await inbox.list()).toHaveLength(3)
  })

  test('takes deliveries of the default format, and of a service whose id is not signed', async () => {
    const keys: unknown[] = []
    const handlers = ({ id }: { id?: string }, { key }: { key: string }) => keys.push([id, key])
    const inbox = postgresInbox({
      ...settings,
      services: {
        default: {
          handlers: { 'message.received': handlers },
          key: ({ data }) => data.instance_id,
        },
        github: { scheme: github, duplicates: 'body', handlers },
      },
    })
    const message = sampleDelivery('message.received', { id: 'm1' })
    await inbox.receive('default')({ ...message, known: true }, verified('m1', 'default'))
    const push = { scheme: 'github', id: 'guid', event: 'push', data: { ref: 'main' } }
    await inbox.receive('github')(push, verified('sha256-abc', 'github'))
    await started(inbox, 1)
    await reached(inbox, 'done', 2)
    expect(keys.sort()).toEqual([
      ['guid', 'github:sha256-abc'],
      ['m1', 'default:m1'],
    ])
  })

  test('stores what has one id at several endpoints once for each of them', async () => {
    const service = { scheme: stripe, handlers: quiet }
    const services = { stripe: service, payments: service }
    const inbox = postgresInbox({ ...settings, services })
    const endpoints = ['stripe', 'stripe:acme', 'stripe:globex', 'billing', 'billing:acme', 'acme']
    for (const name of ['stripe', 'payments'] as const) {
      for (const endpoint of [...endpoints, ...endpoints]) {
        await inbox.receive(name)(stripeDelivery('evt_1'), verified('evt_1', endpoint))
      }
    }
    await started(inbox)
    const entries = await reached(inbox, 'done', 12)
    const keys = entries.map(({ key }) => key).filter((key) => key.startsWith('payments'))
    const parts = [':', '/acme:', '/globex:', '//billing:', '//billing/acme:', '//acme:']
    expect(keys.sort()).toEqual(parts.map((part) => `payments${part}evt_1`).sort())
  })

  test.each([
    [quiet, { scheme: 'github' }, verified('1'), "inbox.receive('stripe') got a delivery of"],
    [quiet, {}, { verification: { key: '1' } }, '`endpoint` should be the `verification.endpoint`'],
    [() => ({}), {}, verified('1'), '`key` of stripe should return a string, a number or'],
  ])('does not store with the key function %s what has %j and %j', async (...given) => {
    const [key, wrong, context, message] = given as [() => string, object, never, string]
    const services = { stripe: { scheme: stripe, handlers: quiet, key } }
    const inbox = postgresInbox({ ...settings, services })
    const storing = inbox.receive('stripe')({ ...stripeDelivery('1'), ...wrong }, context)
    await expect(storing).rejects.toThrow(message)
    expect(await inbox.list()).toEqual([])
  })

  test.each(WAYS)(
    'commits the effects of a handler with its mark, and rolls back those of a failed attempt, with statements %s',
    async (way) => {
      const failing: string[] = []
      const inbox = await handling(
        ['evt_1'],
        async ({ id }, { transaction, attempt }) => {
          await insert(transaction, `${id} ${attempt}`)
          await transaction.query("SET LOCAL TIME ZONE 'Asia/Tokyo'")
          if (attempt === 1) notYet()
        },
        {
          onError: (error, failed) => failing.push(`${error} ${failed?.attempt} ${failed?.dead}`),
          pool: pools[way],
        },
      )
      await reached(inbox, 'done', 1)
      expect(await effectsThere()).toEqual(['evt_1 2'])
      expect(failing).toEqual(['Error: Not yet. 1 false'])
    },
  )

  test('after its last attempt a delivery is dead, with its error, and can be retried', async () => {
    let broken = true
    const inbox = await handling(['evt_1'], async ({ id }, { transaction }) => {
      if (broken) throw new Error('The ledger\0 is closed \ud800.', { cause: new Error('Why') })
      await insert(transaction, id)
    })
    const [letter] = await reached(inbox, 'dead', 1)
    const id = letter?.id ?? ''
    expect(letter).toMatchObject({
      ...{ attempts: 3, deliveryId: 'evt_1', finishedAt: expect.any(String) },
      error: expect.stringMatching(/Error: The ledger.*cause: Error: Why/s),
    })
    expect(letter).not.toHaveProperty('delivery')
    const delivery = JSON.parse(JSON.stringify(stripeDelivery('evt_1')))
    expect(await inbox.show(id)).toEqual({ ...letter, delivery })
    const nobody = '9007199254740993'
    expect([await inbox.show(nobody), await inbox.retry(nobody)]).toEqual([undefined, false])
    broken = false
    expect(await inbox.retry(id)).toBe(true)
    await reached(inbox, 'done', 1)
    expect(await effectsThere()).toEqual(['evt_1'])
    await expect(inbox.retry('one')).rejects.toThrow(
      "`id` should be the id of an entry, such as '17'",
    )
  })

  test('keeps the order of a key while an attempt fails, and lets other keys pass', async () => {
    const handled: string[] = []
    let fails = 2
    const inbox = inboxOf(
      async ({ id }) => {
        if (id === 'a1' && fails-- > 0) notYet()
        handled.push(id)
      },
      { wait: () => 0.7, attempts: 5 },
    )
    for (const id of ['a1', 'a2', 'a3', 'b1']) await store(inbox, id, id[0])
    await store(inbox, 'none')
    await started(inbox)
    await reached(inbox, 'done', 5)
    expect(handled.slice(0, 2).sort()).toEqual(['b1', 'none'])
    expect(handled.slice(2)).toEqual(['a1', 'a2', 'a3'])
  })

  test.each(WAYS)(
    'of one key never two at once, by any number of workers, with statements %s',
    async (way) => {
      const running = new Set<unknown>()
      const together: unknown[] = []
      const work: Work = async ({ data: { customer } }) => {
        if (running.has(customer)) together.push(customer)
        running.add(customer)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running.delete(customer)
      }
      const open = () => inboxOf(work, { pool: pools[way] })
      const inbox = open()
      for (const each of [inbox, open(), open()]) await started(each, 3)
      await Promise.all(idsOf(60).map((id, at) => store(inbox, id, `cus_${at % 3}`)))
      await reached(inbox, 'done', 60)
      expect(together).toEqual([])
    },
  )

  test.each(WAYS)(
    'a handler that takes too long is aborted by words that name the setting, and its connection ends with what it wrote, with statements %s',
    async (way) => {
      const errors: string[] = []
      let sent: unknown[][] = []
      let aborted: AbortSignal | undefined
      const inbox = await handling(
        ['evt_1'],
        async ({ id }, { transaction, signal, attempt }) => {
          await insert(transaction, `${id} ${attempt}`)
          if (attempt > 1) return
          sent = vi.spyOn(transaction, 'query').mock.calls
          aborted = signal
          await transaction.query({ text: 'SELECT pg_sleep(600)' })
        },
        { timeout: 4, onError: (error) => errors.push(String(error)), pool: pools[way] },
      )
      const [entry] = await reached(inbox, 'done', 1)
      expect(aborted?.reason).toMatchObject({ reason: 'handler_abandoned' })
      // pg 9 keeps no more than one behind that of the handler.
      expect(sent).toMatchObject([
        [{ text: 'SELECT pg_sleep(600)' }],
        [{ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }],
      ])
      expect(errors).toEqual([
        expect.stringContaining('longer than `timeout` (4 s). Its transaction'),
      ])
      expect(await effectsThere()).toEqual(['evt_1 2'])
      expect(entry).toMatchObject({ attempts: 2 })
      expect(entry).not.toHaveProperty('error')
    },
  )

  test.each(WAYS)(
    'a handler on the connection of another fails without a trace of it, with statements %s',
    async (way) => {
      const ends: Record<string, [why: RegExp, (transaction: pg.PoolClient) => unknown]> = {
        throws: [/Not yet/, notYet],
        'throws what cannot be read': [
          /cannot be read/,
          () => {
            throw Object.defineProperty({}, 'code', { get: notYet, enumerable: true })
          },
        ],
        commits: [/Do not send COMMIT/, (transaction) => transaction.query('COMMIT')],
        'commits and throws': [
          /Do not send COMMIT.*Not yet/s,
          (transaction) => transaction.query('COMMIT').then(notYet),
        ],
        ignores: [
          /the handler ignored the error/,
          (transaction) => transaction.query('SELECT 1/0').catch(quiet),
        ],
        'is late': [/"late"/, (transaction) => failLate((text) => transaction.query(text))],
        'is lost': [/terminat/, disconnect],
        'is lost and throws': [/Not yet/, (transaction) => disconnect(transaction).catch(notYet)],
      }
      const ids = Object.keys(ends).flatMap((bad) => [`before it ${bad}`, bad])
      const inbox = inboxOf(
        async ({ id }, { transaction }) => {
          await insert(transaction, id)
          await ends[id]?.[1](transaction)
          if (id === 'releases') transaction.release()
        },
        { attempts: 1, pool: pools[way] },
      )
      for (const id of [...ids, 'releases', 'not parsed', 'last']) await store(inbox, id)
      await queryPostgres(
        `UPDATE ${table} SET delivery = '{"scheme":"stripe"}' WHERE delivery_id = 'not parsed'`,
      )
      await started(inbox, 1)
      await reached(inbox, 'done', 10)
      const dead = await reached(inbox, 'dead', 9)
      expect(dead.map(({ deliveryId, error }) => [deliveryId, error]).reverse()).toEqual([
        ...Object.entries(ends).map(([id, [why]]) => [id, expect.stringMatching(why)]),
        ['not parsed', expect.stringContaining('The stored data is not a delivery of stripe')],
      ])
      // What committed by itself has done that.
      const done = [
        ...ids.filter((id) => !(id in ends) || id.startsWith('commits')),
        ...['releases', 'last'],
      ]
      expect((await effectsThere()).sort()).toEqual(done.sort())
    },
  )

  test('a service whose deliveries follow one another leaves their turn to others', async () => {
    const ran: unknown[] = []
    const service = { scheme: stripe, handlers: ({ id }: { id?: string }) => void ran.push(id) }
    const inbox = postgresInbox({ ...settings, services: { busy: service, other: service } })
    for (const [name, count] of [
      ['busy', 300],
      ['other', 5],
    ] as const)
      await Promise.all(
        idsOf(count).map((id) => inbox.receive(name)(stripeDelivery(name + id), verified(id))),
      )
    await started(inbox, 1)
    await reached(inbox, 'done', 305)
    expect(ran.indexOf('otherevt_4')).toBeLessThan(150)
  })

  test('stops when the handlers that run have ended, and begins no other', async () => {
    const { entered, wait, open } = gate()
    const handled: string[] = []
    const inbox = inboxOf(async ({ id }) => {
      await wait()
      handled.push(id)
    })
    for (const id of ['evt_1', 'evt_2']) await store(inbox, id)
    const worker = await inbox.work({ concurrency: 1 })
    await entered
    const stopped = worker.stop()
    open()
    await stopped
    expect(handled).toHaveLength(1)
    expect(await inbox.list({ state: 'waiting' })).toHaveLength(1)
  })

  test('deletes what is older than its retention', async () => {
    const work: Work = ({ id }) => id === 'dead' && notYet()
    const retentions = { attempts: 1, retention: 100, deadRetention: 1000 }
    const inbox = await handling(['done', 'dead', 'old'], work, retentions)
    await reached(inbox, 'dead', 1)
    await reached(inbox, 'done', 2)
    await stop()
    await queryPostgres(
      `UPDATE ${table}_ended AS ended SET finished_at = now() - interval '500 s' FROM ${table} AS kept
       WHERE kept.id = ended.id AND delivery_id <> 'done'`,
    )
    await started(inbox)
    await until(async () => expect(idsIn(await inbox.list())).toEqual(['dead', 'done']))
    expect(await queryPostgres(`SELECT id FROM ${table}`)).toHaveLength(2)
  })

  test('says once that it may not delete what is old, and tries no more often for that', async () => {
    const onError = vi.fn()
    const forbid = vi.fn(() => Promise.reject(new Error('May not delete.')))
    const query = (config: { text: string }) =>
      config.text.includes(`DELETE FROM "${table}_ended"`) ? forbid() : pool.query(config)
    const limited = { query, connect: pool.connect.bind(pool) }
    const inbox = await handling(['evt_1'], quiet, { pool: limited, onError })
    await reached(inbox, 'done', 1)
    for (const id of ['evt_2', 'evt_3']) {
      await store(inbox, id)
      await reached(inbox, 'done', Number(id.slice(4)))
    }
    expect(forbid).toHaveBeenCalledOnce()
    expect(onError.mock.calls).toEqual([[new Error('May not delete.')]])
  })

  test('counts what waits and what is dead, by service, with the age of the oldest that is due', async () => {
    const services = { billing: { scheme: stripe, handlers: quiet } }
    const renamed = postgresInbox({ ...settings, services })
    await renamed.receive('billing')(stripeDelivery('0'), verified('0'))
    const inbox = await handling(['1', '2'], notYet, { attempts: 1 })
    await reached(inbox, 'dead', 2)
    await stop()
    for (const id of ['3', '4']) await store(inbox, id)
    await postpone('3', 90)
    const none = { waiting: 0, running: 0, dead: 0, oldestDue: 0 }
    const own = { ...none, service: 'stripe', handled: true }
    const oldestDue = expect.any(Number)
    const stats = await inbox.stats()
    expect(stats).toEqual([
      { ...none, service: 'billing', handled: false, waiting: 1, oldestDue },
      { ...own, waiting: 2, dead: 2, oldestDue },
    ])
    expect(stats[1]?.oldestDue).toBeGreaterThanOrEqual(90)
    await queryPostgres(`TRUNCATE ${tablesOfInbox(table)}`)
    expect(await inbox.stats()).toEqual([own])
  })

  test('lists pages, the latest first', async () => {
    const inbox = inboxOf(quiet)
    for (const id of ['1', '2', '3']) await store(inbox, id)
    const page = await inbox.list({ limit: 2 })
    expect(idsIn(page)).toEqual(['3', '2'])
    expect(idsIn(await inbox.list({ before: page[1]?.id }))).toEqual(['1'])
    expect(await inbox.list({ service: 'github' })).toEqual([])
    await expect(inbox.list(Object({ state: 'lost' }))).rejects.toThrow(
      "`state` should be 'waiting', 'running', 'done' or 'dead'",
    )
  })

  test('while PostgreSQL is away the status is 503, and afterwards the worker goes on', async () => {
    const proxy = await new TcpProxy(DATABASE_URL).open()
    const behind = createPool(proxy.url)
    const outages: unknown[] = []
    const inbox = await handling(['evt_1'], ({ id }, { transaction }) => insert(transaction, id), {
      onError: (error, failed) => failed ?? outages.push(error),
      pool: behind,
    })
    await reached(inbox, 'done', 1)
    await proxy.cut()
    const second = () => store(inbox, 'evt_2')
    await expect(second()).rejects.toMatchObject({ status: 503, reason: 'store_unavailable' })
    await until(() => expect(outages).toHaveLength(1))
    await proxy.open()
    await until(second)
    await reached(inbox, 'done', 2)
    expect(await effectsThere()).toEqual(['evt_1', 'evt_2'])
    await stop()
    await behind.end()
    await proxy.cut()
  })

  test('with `transaction` and `query` instead of a pool, handlers get the client of these', async () => {
    const sql = postgres(DATABASE_URL, { onnotice: quiet })
    const inbox = postgresInbox({
      ...{ ...settings, pool: undefined },
      transaction: (work: (client: postgres.TransactionSql) => Promise<void>) => sql.begin(work),
      query: (client, text, values) => client.unsafe(text, values),
      services: {
        stripe: {
          ...{ scheme: stripe, key: () => 'one' },
          handlers: async ({ id }, { transaction, attempt }) => {
            await transaction`INSERT INTO ${transaction(effects)} (id) VALUES (${`${id} ${attempt}`})`
            if (attempt === 1) notYet()
          },
        },
      },
    })
    await inbox.setup()
    await started(inbox)
    for (const id of ['evt_1', 'evt_2']) await store(inbox, id)
    await reached(inbox, 'done', 2)
    expect(await effectsThere()).toEqual(['evt_1 2', 'evt_2 2'])
    await stop()
    await sql.end()
  })

  test('a `transaction` that runs its work again begins the attempt once more', async () => {
    const { transaction, ...orm } = ormOn(pool)
    const fail = vi.fn().mockRejectedValueOnce(new Error('could not serialize access'))
    const errors = vi.fn()
    const work: Work = async ({ id }, { transaction: client, attempt }) => {
      await insert(client, `${id} ${attempt}`)
      await fail()
    }
    const again: typeof transaction = (run) => transaction(run).catch(() => transaction(run))
    const inbox = await handling(['evt_1'], work, { ...orm, transaction: again, onError: errors })
    await reached(inbox, 'done', 1)
    expect(fail).toHaveBeenCalledTimes(2)
    expect(errors).not.toHaveBeenCalled()
    expect(await effectsThere()).toEqual(['evt_1 1'])
  })

  test('names a table that is missing, and creates it from several processes at once', async () => {
    const own = tables()
    const open = () => postgresInbox({ pool, table: own.table, services: {} })
    const inbox = open()
    await expect(inbox.list()).rejects.toThrow(own.table)
    await Promise.all([inbox, open(), open()].map((each) => each.setup()))
    expect(await inbox.list()).toEqual([])
    await expect(inbox.work()).rejects.toThrow('The inbox has no `services` to handle.')
    await queryPostgres(`DROP TABLE ${tablesOfInbox(own.table)}`)
  })
})

test.each([
  ['An inbox needs a `pool`, or `transaction` and `query`.', { pool: undefined }],
  ['`pool` should be a pool', { pool: 'postgres://user:password@host' }],
  ['`the name of a service` should be 1 to 64 letters', { services: { 'a b': {} } }],
  ['`attempts` should be a whole number from 1', { attempts: 0 }],
  ['There is no option "retries"', { retries: 1 }],
  ['`services` should be an object with a name', { services: new Map() }],
  ['There is no option "handler"', { services: { stripe: { handler: quiet } } }],
  [
    '`schemas` should be a plain object',
    { services: { stripe: { handlers: quiet, schemas: new Map() } } },
  ],
  [
    '`key` should be a function that returns a string or a number; got a generator function',
    { services: { stripe: { handlers: quiet, *key() {} } } },
  ],
])('%s', (message, options) => {
  expect(() => postgresInbox(Object({ pool, services: {}, ...options }))).toThrow(message)
})

test.each([
  [{ concurrency: 10 }, '`concurrency` should be below the `max` of the pool, which is 10; got 10'],
  [{ poll: 0 }, '`poll` should be a number from 0.01 to 3600; got 0.'],
])('a worker does not start with %o', async (options, message) => {
  await expect(inboxOf(quiet).work(options)).rejects.toThrow(message)
})

test('names the services there are', () => {
  expect(() => inboxOf(quiet).receive(Object('stripey'))).toThrow(
    "There is no service 'stripey' in the inbox. There are: stripe.",
  )
})
