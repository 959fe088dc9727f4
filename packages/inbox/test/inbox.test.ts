import { randomUUID } from 'node:crypto'
import { failLate } from '@webhook-receiver/checks/postgres.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { webhookHandler } from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { postgresInbox } from '@webhook-receiver/inbox'
import { github, stripe } from '@webhook-receiver/schemes'
import type pg from 'pg'
import postgres from 'postgres'
import { describe, expect, test, vi } from 'vitest'
import {
  gate,
  ormOf,
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
  verified,
} from './inboxes.ts'

const { table, effects, pool, pools, settings, inboxOf, started, stop, insert, effectsThere } =
  useInbox()

function inboxOfGithub({ duplicates }: { readonly duplicates: 'id' | 'body' | undefined }) {
  const services = { github: { scheme: github, handlers: quiet, duplicates } }
  return postgresInbox({ ...settings, services })
}

/** Sets since when a delivery is due, in seconds; below zero it is not yet. */
const postpone = (id: string, since: number) =>
  queryPostgres(
    `UPDATE ${table}_open AS open SET due = now() - make_interval(secs => $1) FROM ${table} AS kept
     WHERE kept.id = open.id AND delivery_id = $2`,
    [since, id],
  )

describe('for a service that does not sign the id of a delivery', () => {
  type Store = ReturnType<ReturnType<typeof inboxOfGithub>['receive']>
  const options = { scheme: github } as const
  const missing =
    "`duplicates` is missing: github does not sign the id of a delivery, so choose 'id'"

  test.each([
    ['the handler', (store: Store) => store],
    ['the handler of all others', (any: Store) => ({ push: quiet, any })],
  ])('an inbox that is %s asks which are the same, as a store does', (_what, handlersOf) => {
    const undecided = inboxOfGithub({ duplicates: undefined }).receive('github')
    expect(() => webhookHandler('secret', handlersOf(undecided), options)).toThrow(missing)
    webhookHandler('secret', handlersOf(undecided), { ...options, duplicates: 'body' })
    const decided = inboxOfGithub({ duplicates: 'body' }).receive('github')
    webhookHandler('secret', handlersOf(decided), options)
  })

  test('it asks when it gets a key without a word on how that was made', async () => {
    const store = inboxOfGithub({ duplicates: undefined }).receive('github')
    const verification = { endpoint: 'github', key: 'a' }
    await expect(store({ scheme: 'github', data: {} }, { verification })).rejects.toThrow(missing)
  })

  test('two inboxes with different `duplicates` do not share a receiver that has none', () => {
    const [push, any] = (['id', 'body'] as const).map((duplicates) =>
      inboxOfGithub({ duplicates }).receive('github'),
    )
    expect(() => webhookHandler('secret', { push, any }, options)).toThrow('of several inboxes')
    webhookHandler('secret', { push, any }, { ...options, duplicates: 'body' })
  })
})

withPostgres('an inbox', () => {
  test('runs the handler of the action, and says what no handler is for', async () => {
    const ran: string[] = []
    const ignored: unknown[] = []
    const inbox = postgresInbox({
      ...settings,
      onIgnored: ({ event, action }) => void ignored.push([event, action]),
      services: {
        github: {
          scheme: github,
          duplicates: 'id',
          handlers: {
            'issues.opened': ({ data }) => void ran.push(`opened ${data.number}`),
            issues: ({ action }) => void ran.push(`${action}`),
          },
        },
      },
    })
    const own = 'shared by hand with GitHub'
    const post = webhookHandler(own, inbox.receive('github'), { scheme: github })
    for (const [name, number] of [
      ['issues.opened', 1],
      ['issues.closed', 2],
      ['label.created', 3],
    ] as const) {
      const signing = { secret: own, scheme: github }
      const request = await signedRequest(name, { number }, signing)
      expect((await post(request)).status).toBe(204)
    }
    await started(inbox)
    await reached(inbox, 'done', 3)
    expect(ran.sort()).toEqual(['closed', 'opened 1'])
    expect(ignored).toEqual([['label', 'created']])
  })

  test('stores a delivery of Stripe once, and responds with the success of its scheme', async () => {
    const secret = 'whsec_of_a_test'
    const handled = vi.fn()
    const inbox = inboxOf(handled)
    const post = webhookHandler(secret, inbox.receive('stripe'), { scheme: stripe })
    const data = { id: 'evt_1', type: 'invoice.paid', customer: 'cus_1' }
    const send = async () =>
      post(await signedRequest('invoice.paid', data, { secret, scheme: stripe }))
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses).toEqual([204, 204, 204])
    expect(await inbox.list()).toEqual([
      expect.objectContaining({
        ...{ service: 'stripe', event: 'invoice.paid', deliveryId: 'evt_1' },
        ...{ key: 'stripe:evt_1', state: 'waiting', attempts: 0 },
      }),
    ])
    await started(inbox)
    await reached(inbox, 'done', 1)
    expect((await send()).status).toBe(204)
    expect(handled).toHaveBeenCalledOnce()
    expect(handled.mock.calls[0]?.[0]).toEqual({
      ...{ scheme: 'stripe', id: 'evt_1', event: 'invoice.paid', data },
    })
  })

  test('what comes at once is stored by few statements, each once and in the order in which it came', async () => {
    const sent = vi.spyOn(pool, 'query')
    const inbox = inboxOf(quiet)
    const ids = Array.from({ length: 300 }, (_, at) => `evt_${at}`)
    await Promise.all(ids.flatMap((id) => [store(inbox, id, 'cus_1'), store(inbox, id, 'cus_1')]))
    // The first goes alone, and the others by a hundred.
    expect(sent).toHaveBeenCalledTimes(7)
    sent.mockRestore()
    const entries = await inbox.list({ limit: 1000 })
    expect(entries.map(({ deliveryId }) => deliveryId).reverse()).toEqual(ids)
    const awake = await queryPostgres(`SELECT id FROM ${table}_open WHERE due IS NOT NULL`)
    expect(awake).toHaveLength(1)
  })

  test('a delivery that PostgreSQL rejects gets 503, and those that came with it are stored', async () => {
    await queryPostgres(`ALTER TABLE ${table} ADD CONSTRAINT good CHECK (delivery_id <> 'bad')`)
    const inbox = inboxOf(quiet)
    const ids = ['first', 'evt_1', 'bad', 'evt_2']
    const stored = await Promise.allSettled(ids.map((id) => store(inbox, id)))
    await queryPostgres(`ALTER TABLE ${table} DROP CONSTRAINT good`)
    expect(stored.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true])
    expect(stored[2]).toMatchObject({ reason: { reason: 'store_unavailable', status: 503 } })
    expect(await inbox.list()).toHaveLength(3)
  })

  test('takes deliveries of the default format, and of a service whose id is not signed', async () => {
    const events: string[] = []
    const inbox = postgresInbox({
      ...settings,
      services: {
        default: {
          handlers: {
            'message.received': ({ event, data }) => events.push(event, data.instance_id),
          },
          key: (delivery) => delivery.data.instance_id,
        },
        github: {
          scheme: github,
          duplicates: 'body',
          handlers: ({ event, data }, { key }) => events.push(event, String(data.ref), key),
        },
      },
    })
    const content = { instance_id: 'inst_1', event: 'message.received', data: {}, timestamp: 'now' }
    const message = {
      known: true,
      id: 'm1',
      event: 'message.received',
      created_at: 'now',
      data: content,
    }
    await inbox.receive('default')(message, verified('m1', 'default'))
    const push = { scheme: 'github', id: 'guid', event: 'push', data: { ref: 'main' } }
    await inbox.receive('github')(push, verified('sha256-abc', 'github'))
    await started(inbox, 1)
    await reached(inbox, 'done', 2)
    expect(events.sort()).toEqual(
      ['message.received', 'inst_1', 'push', 'main', 'github:sha256-abc'].sort(),
    )
  })

  test('stores nothing of a receiver whose key has an id that is not signed, unless somebody chose that', async () => {
    const post = async (duplicates?: 'id' | 'body', chosen?: 'id' | 'body') => {
      const inbox = inboxOfGithub({ duplicates })
      const store = inbox.receive('github')
      const onError = vi.fn()
      const handler = webhookHandler('secret', (delivery, context) => store(delivery, context), {
        ...{ scheme: github, duplicates: chosen, onError },
      })
      const signing = { secret: 'secret', scheme: github, id: 'a' }
      const { status } = await handler(await signedRequest('push', {}, signing))
      const [error] = onError.mock.calls.map(([thrown]) => String(thrown))
      return [status, error?.slice(0, 40)]
    }
    const missing = [500, 'TypeError: `duplicates` is missing where']
    expect(await post()).toEqual(missing)
    expect(await post('body')).toEqual(missing)
    expect(await inboxOf(quiet).list()).toEqual([])
    expect(await post('id')).toEqual([204, undefined])
    expect(await post(undefined, 'body')).toEqual([204, undefined])
    expect(await inboxOf(quiet).list()).toHaveLength(2)
  })

  test('stores what has one id at several endpoints once for each of them', async () => {
    const inbox = postgresInbox({
      ...settings,
      services: {
        stripe: { scheme: stripe, handlers: quiet },
        payments: { scheme: stripe, handlers: quiet },
      },
    })
    const endpoints = ['stripe', 'stripe:acme', 'stripe:globex', 'billing', 'billing:acme', 'acme']
    for (const service of ['stripe', 'payments'] as const) {
      for (const endpoint of [...endpoints, ...endpoints]) {
        await inbox.receive(service)(stripeDelivery('evt_1'), verified('evt_1', endpoint))
      }
    }
    const keys = (await inbox.list()).map(({ service, key }) => `${service} ${key}`)
    expect(new Set(keys).size).toBe(12)
    const parts = [':', '/acme:', '/globex:', '//billing:', '//billing/acme:', '//acme:']
    const known = parts.map((part) => `payments payments${part}evt_1`)
    expect(keys.filter((key) => key.startsWith('payments')).sort()).toEqual(known.sort())
    await started(inbox)
    await reached(inbox, 'done', 12)
    const withoutEndpoint = { verification: { key: 'evt_2' } } as never
    await expect(inbox.receive('stripe')(stripeDelivery('evt_2'), withoutEndpoint)).rejects.toThrow(
      '`endpoint` should be the `verification.endpoint`',
    )
  })

  test('a delivery of another scheme is not stored, and neither is one whose key is no text', async () => {
    const inbox = inboxOf(quiet)
    const store = inbox.receive('stripe')
    await expect(store({ scheme: 'github', data: {} }, verified('1'))).rejects.toThrow(
      "inbox.receive('stripe') got a delivery of another scheme",
    )
    const wrong = postgresInbox({
      ...settings,
      services: { stripe: { scheme: stripe, handlers: quiet, key: () => Object({}) } },
    })
    await expect(wrong.receive('stripe')(stripeDelivery('1'), verified('1'))).rejects.toThrow(
      '`key` of stripe should return a string, a number or undefined; got an object.',
    )
    expect(await inbox.list()).toEqual([])
  })

  test.each(WAYS)(
    'commits the effects of a handler with its mark, and rolls back those of a failed attempt, with statements %s',
    async (way) => {
      const failing: string[] = []
      const attempts: number[] = []
      const inbox = await started(
        inboxOf(
          async ({ id }, { transaction, attempt }) => {
            attempts.push(attempt)
            await insert(transaction, id)
            await transaction.query("SET LOCAL TIME ZONE 'Asia/Tokyo'")
            if (attempt === 1) throw new Error('Not yet.')
          },
          {
            onError: (error, failed) => failing.push(`${error} ${failed?.attempt} ${failed?.dead}`),
            pool: pools[way],
          },
        ),
      )
      await store(inbox, 'evt_1')
      await reached(inbox, 'done', 1)
      expect(await effectsThere()).toEqual(['evt_1'])
      expect(attempts).toEqual([1, 2])
      expect(failing).toEqual(['Error: Not yet. 1 false'])
    },
  )

  test('after its last attempt a delivery is dead, with its error, and can be retried', async () => {
    let broken = true
    const inbox = await started(
      inboxOf(async ({ id }, { transaction }) => {
        if (broken) throw new Error('The ledger\0 is closed \ud800.', { cause: new Error('Why') })
        await insert(transaction, id)
      }),
    )
    await store(inbox, 'evt_1')
    const letters = await reached(inbox, 'dead', 1)
    const [letter] = letters
    const id = letter?.id ?? ''
    expect(letter).toMatchObject({
      attempts: 3,
      deliveryId: 'evt_1',
      finishedAt: expect.any(String),
    })
    expect(letter?.error).toContain('Error: The ledger')
    expect(letter?.error).toContain('cause: Error: Why')
    expect(JSON.stringify(letters)).not.toContain('"data"')
    expect(await inbox.show(id)).toMatchObject({
      delivery: JSON.parse(JSON.stringify(stripeDelivery('evt_1'))),
    })
    expect(await inbox.show('9007199254740993')).toBeUndefined()
    broken = false
    expect(await inbox.retry(id)).toBe(true)
    await reached(inbox, 'done', 1)
    expect(await effectsThere()).toEqual(['evt_1'])
    expect(await inbox.retry('9007199254740993')).toBe(false)
    await expect(inbox.retry('one')).rejects.toThrow(
      "`id` should be the id of an entry, such as '17'",
    )
  })

  test('keeps the order of a key while an attempt fails, and lets other keys pass', async () => {
    const handled: string[] = []
    let fails = 2
    const inbox = inboxOf(
      async ({ id }) => {
        if (id === 'a1' && fails-- > 0) throw new Error('Not yet.')
        handled.push(id)
      },
      { wait: () => 0.7, attempts: 5 },
    )
    for (const [id, customer] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
      ['c1', undefined],
    ] as const) {
      await store(inbox, id, customer)
    }
    await started(inbox)
    await reached(inbox, 'done', 5)
    expect(handled.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    expect(handled.slice(0, 2).sort()).toEqual(['b1', 'c1'])
  })

  test.each(WAYS)(
    'of one key never two at once, by any number of workers, with statements %s',
    async (way) => {
      const running = new Map<unknown, number>()
      let most = 0
      const work: Work = async ({ data }) => {
        const now = (running.get(data.customer) ?? 0) + 1
        running.set(data.customer, now)
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 2))
        running.set(data.customer, now - 1)
      }
      const open = () => inboxOf(work, { pool: pools[way] })
      const inbox = open()
      for (const each of [inbox, open(), open()]) await started(each, 3)
      await Promise.all(
        Array.from({ length: 60 }, (_, at) => store(inbox, `evt_${at}`, `cus_${at % 3}`)),
      )
      await reached(inbox, 'done', 60)
      expect(most).toBe(1)
    },
  )

  test.each(WAYS)(
    'a handler that takes too long is aborted by words that name the setting, and its connection ends with what it wrote, with statements %s',
    async (way) => {
      let aborted: unknown
      const errors: string[] = []
      const sent: unknown[] = []
      const inbox = await started(
        inboxOf(
          async ({ id }, { transaction, signal, attempt }) => {
            await insert(transaction, `${id} ${attempt}`)
            if (attempt > 1) return
            const query = transaction.query.bind(transaction) as (...given: unknown[]) => unknown
            Object.assign(transaction, {
              query(...given: unknown[]) {
                sent.push(Object(given[0]).text ?? given[0])
                return query(...given)
              },
            })
            signal.addEventListener('abort', () => {
              aborted = signal.reason
            })
            await transaction.query('SELECT pg_sleep(600)')
          },
          { timeout: 1, onError: (error) => errors.push(String(error)), pool: pools[way] },
        ),
      )
      await store(inbox, 'evt_1')
      await reached(inbox, 'done', 1)
      expect(aborted).toMatchObject({ reason: 'handler_abandoned' })
      // pg 9 keeps no more than one behind that of the handler.
      expect(sent).toEqual([
        'SELECT pg_sleep(600)',
        'SELECT pg_terminate_backend(pg_backend_pid())',
      ])
      expect(errors).toEqual([
        expect.stringContaining('longer than `timeout` (1 s). Its transaction'),
      ])
      expect(await effectsThere()).toEqual(['evt_1 2'])
      const [entry] = await inbox.list()
      expect(entry).toMatchObject({ state: 'done', attempts: 2 })
      expect(entry).not.toHaveProperty('error')
    },
  )

  test.each(WAYS)(
    'a handler that ends its transaction, ignores a failed statement or makes COMMIT fail has failed, with statements %s',
    async (way) => {
      const inbox = await started(
        inboxOf(
          async ({ id }, { transaction }) => {
            if (id === 'commits') await transaction.query('COMMIT')
            else if (id === 'late') await failLate((text) => transaction.query(text))
            else await transaction.query('SELECT 1/0').catch(() => {})
          },
          { attempts: 1, pool: pools[way] },
        ),
      )
      for (const id of ['commits', 'ignores', 'late']) {
        await store(inbox, id)
      }
      await reached(inbox, 'dead', 3)
      const errors = (await inbox.list()).map(({ deliveryId, error }) => [deliveryId, error])
      for (const [id, why] of [
        ['commits', '^.*Do not send COMMIT'],
        ['ignores', '^.*the handler ignored the error'],
        ['late', '^.*"late"'],
      ]) {
        expect(errors).toContainEqual([id, expect.stringMatching(new RegExp(String(why)))])
      }
    },
  )

  test.each(WAYS)(
    'what begins on the connection of another ends without a trace of it, with statements %s',
    async (way) => {
      const ends: Record<string, (transaction: pg.PoolClient) => unknown> = {
        throws() {
          throw new Error('No.')
        },
        commits: (transaction) => transaction.query('COMMIT'),
        ignores: (transaction) => transaction.query('SELECT 1/0').catch(() => {}),
        hangs: () => new Promise(quiet),
        'is lost': (transaction) =>
          transaction.query('SELECT pg_terminate_backend(pg_backend_pid())'),
      }
      const good = Object.keys(ends).map((bad) => `before it ${bad}`)
      const inbox = inboxOf(
        async ({ id }, { transaction }) => {
          await insert(transaction, id)
          await ends[id]?.(transaction)
        },
        { attempts: 1, timeout: 1, pool: pools[way] },
      )
      for (const bad of Object.keys(ends)) {
        await store(inbox, `before it ${bad}`)
        await store(inbox, bad)
      }
      await store(inbox, 'parsed')
      await store(inbox, 'not parsed')
      await queryPostgres(
        `UPDATE ${table} SET delivery = '{"scheme":"stripe"}' WHERE delivery_id = 'not parsed'`,
      )
      await store(inbox, 'last')
      await started(inbox, 1)
      await reached(inbox, 'done', good.length + 2)
      const dead = await reached(inbox, 'dead', good.length + 1)
      expect(dead.map(({ deliveryId }) => deliveryId).reverse()).toEqual([
        ...Object.keys(ends),
        'not parsed',
      ])
      expect(dead[0]?.error).toContain('The stored data is not a delivery of stripe')
      // What committed by itself has done that.
      expect((await effectsThere()).sort()).toEqual([...good, 'commits', 'parsed', 'last'].sort())
    },
  )

  test('a service whose deliveries follow one another leaves their turn to others', async () => {
    const ran: string[] = []
    const run = ({ id }: { readonly id?: string | undefined }) => void ran.push(String(id))
    const inbox = postgresInbox({
      ...settings,
      services: {
        busy: { scheme: stripe, handlers: run },
        other: { scheme: stripe, handlers: run },
      },
    })
    const ids = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${name}_${at}`)
    await Promise.all(
      ids('busy', 300).map((id) => inbox.receive('busy')(stripeDelivery(id), verified(id))),
    )
    for (const id of ids('other', 5)) {
      await inbox.receive('other')(stripeDelivery(id), verified(id))
    }
    await started(inbox, 1)
    await reached(inbox, 'done', 305)
    expect(ran.indexOf('other_4')).toBeLessThan(150)
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
    const inbox = inboxOf(
      ({ id }) => {
        if (id === 'dead') throw new Error('No.')
      },
      { attempts: 1, retention: 100, deadRetention: 1000 },
    )
    for (const id of ['done', 'dead', 'old']) await store(inbox, id)
    const first = await inbox.work()
    await reached(inbox, 'dead', 1)
    await reached(inbox, 'done', 2)
    await first.stop()
    await queryPostgres(
      `UPDATE ${table}_ended AS ended SET finished_at = now() - interval '500 s' FROM ${table} AS kept
       WHERE kept.id = ended.id AND delivery_id <> 'done'`,
    )
    await started(inbox)
    await until(async () => expect(await inbox.list()).toHaveLength(2))
    expect((await inbox.list()).map(({ deliveryId }) => deliveryId)).toEqual(['dead', 'done'])
    expect(await queryPostgres(`SELECT id FROM ${table}`)).toHaveLength(2)
  })

  test('counts what waits and what is dead, by service, with the age of the oldest that is due', async () => {
    const inbox = inboxOf(quiet)
    for (const id of ['1', '2', '3', '4']) await store(inbox, id)
    const renamed = postgresInbox({
      ...settings,
      services: { billing: { scheme: stripe, handlers: quiet } },
    })
    await renamed.receive('billing')(stripeDelivery('5'), verified('5'))
    const failing = inboxOf(
      () => {
        throw new Error('No.')
      },
      { attempts: 1 },
    )
    await postpone('2', -1000)
    await postpone('3', -1000)
    await started(failing)
    await reached(inbox, 'dead', 2)
    await stop()
    await postpone('2', 90)
    const [billing, own] = await inbox.stats()
    expect(billing).toEqual({
      ...{ service: 'billing', handled: false, waiting: 1, running: 0, dead: 0 },
      oldestDue: expect.any(Number),
    })
    expect(own).toMatchObject({ service: 'stripe', handled: true, waiting: 2, running: 0, dead: 2 })
    expect(own?.oldestDue).toBeGreaterThanOrEqual(90)
    await queryPostgres(`TRUNCATE ${tablesOfInbox(table)}`)
    const none = { handled: true, waiting: 0, running: 0, dead: 0, oldestDue: 0 }
    expect(await inbox.stats()).toEqual([{ service: 'stripe', ...none }])
  })

  test('lists pages, the latest first', async () => {
    const inbox = inboxOf(quiet)
    for (const id of ['1', '2', '3']) await store(inbox, id)
    const [latest, second] = await inbox.list({ limit: 2 })
    expect([latest?.deliveryId, second?.deliveryId]).toEqual(['3', '2'])
    const rest = await inbox.list({ before: second?.id })
    expect(rest.map(({ deliveryId }) => deliveryId)).toEqual(['1'])
    expect(await inbox.list({ service: 'github' })).toEqual([])
    await expect(inbox.list(Object({ state: 'lost' }))).rejects.toThrow(
      "`state` should be 'waiting', 'running', 'done' or 'dead'",
    )
  })

  test('while PostgreSQL is away the status is 503, and afterwards the worker goes on', async () => {
    const proxy = await new TcpProxy(DATABASE_URL).open()
    const behind = createPool(proxy.url)
    const outages: unknown[] = []
    const inbox = await started(
      inboxOf(({ id }, { transaction }) => insert(transaction, id), {
        onError: (error, failed) => failed ?? outages.push(error),
        pool: behind,
      }),
    )
    await store(inbox, 'evt_1')
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
      ...{ ...settings, ...ormOf(sql) },
      services: {
        stripe: {
          scheme: stripe,
          handlers: async ({ id }, { transaction, attempt }) => {
            await transaction`INSERT INTO ${transaction(effects)} (id) VALUES (${`${id} ${attempt}`})`
            if (attempt === 1) throw new Error('Not yet.')
          },
          key: () => 'one',
        },
      },
    })
    await inbox.setup()
    await started(inbox)
    for (const id of ['evt_1', 'evt_2']) {
      await store(inbox, id)
    }
    await reached(inbox, 'done', 2)
    expect(await effectsThere()).toEqual(['evt_1 2', 'evt_2 2'])
    await stop()
    await sql.end()
  })

  test('names a table that is missing, and creates it from several processes at once', async () => {
    const own = tables()
    const inboxes = [1, 2, 3].map(() => postgresInbox({ pool, table: own.table, services: {} }))
    await expect(inboxes[0]?.list()).rejects.toThrow(own.table)
    await Promise.all(inboxes.map((inbox) => inbox.setup()))
    expect(await inboxes[0]?.list()).toEqual([])
    await expect(inboxes[0]?.work()).rejects.toThrow('The inbox has no `services` to handle.')
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
  ['There is no option "handler"', { services: { stripe: { handler: () => {} } } }],
  [
    '`schemas` should be a plain object',
    { services: { stripe: { handlers: () => {}, schemas: new Map() } } },
  ],
  [
    '`key` should be a function that returns a string or a number; got a generator function',
    { services: { stripe: { handlers: () => {}, *key() {} } } },
  ],
])('%s', (message, options) => {
  expect(() => postgresInbox(Object({ pool, services: {}, ...options }))).toThrow(message)
})

test.each([
  [
    { concurrency: 10 },
    '`concurrency` should be below the `max` of the pool, which is 10; got 10.',
  ],
  [{ poll: 0 }, '`poll` should be a number from 0.01 to 3600; got 0.'],
])('a worker does not start with %o', async (options, message) => {
  await expect(inboxOf(quiet).work(options)).rejects.toThrow(message)
})

test('names the services there are', () => {
  const id = randomUUID()
  expect(() => inboxOf(quiet).receive(Object(id))).toThrow(
    `There is no service '${id}' in the inbox. There are: stripe.`,
  )
})
