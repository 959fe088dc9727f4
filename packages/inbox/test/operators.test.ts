import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import { expect, test, vi } from 'vitest'
import { gate, quiet, reached, store, until, useInbox, withPostgres } from './fixture.ts'
import { queryPostgres, stripeDelivery, verified } from './inboxes.ts'

const { table, pool, inboxOf, started, stop } = useInbox()

withPostgres('operators', () => {
  test('retry many in the order in which they were received, all of them, and go on after an interruption', async () => {
    let broken = true
    const ran: string[] = []
    const inbox = inboxOf(
      ({ id }) => {
        if (broken) throw new Error('The ledger is closed.')
        ran.push(id)
      },
      { attempts: 1 },
    )
    const ids = Array.from({ length: 50 }, (_, at) => `evt_${at}`)
    for (const id of ids) await store(inbox, id, 'a')
    await started(inbox)
    const dead = await reached(inbox, 'dead', 50)
    broken = false
    expect(await inbox.retry({ before: dead.at(-1)?.id })).toEqual({ retried: 0 })
    expect(await inbox.retry({ service: 'other' })).toEqual({ retried: 0 })
    const interrupted = new AbortController()
    const progress: number[] = []
    const first = await inbox.retry({
      rate: 20,
      signal: interrupted.signal,
      onProgress({ retried }) {
        progress.push(retried)
        interrupted.abort()
      },
    })
    expect(first).toMatchObject({ retried: 20 })
    const rest = await inbox.retry({ rate: 10_000, after: first.last })
    expect(rest).toMatchObject({ retried: 30 })
    expect(progress).toEqual([20])
    await until(() => expect(ran).toHaveLength(50))
    expect(ran).toEqual(ids)
    expect(await inbox.retry({ state: 'dead' })).toEqual({ retried: 0 })
    await expect(inbox.retry(Object({ state: 'waiting' }))).rejects.toThrow(
      "`state` should be 'dead' or 'done'",
    )
  })

  test('delete what there is of one person, in whatever state, and the next of its key runs', async () => {
    const ran: string[] = []
    const { entered, wait, open } = gate()
    const inbox = inboxOf(
      async ({ id }) => {
        ran.push(id)
        if (id === 'dead') throw new Error('No.')
        if (id === 'runs') await wait()
      },
      { attempts: 1 },
    )
    for (const id of ['done', 'dead']) await store(inbox, id, 'person')
    await store(inbox, 'other', 'somebody')
    await started(inbox, 1)
    await reached(inbox, 'done', 2)
    await reached(inbox, 'dead', 1)
    for (const id of ['runs', 'waits']) await store(inbox, id, 'person')
    await entered
    const where = (delivery: Readonly<Record<string, unknown>>) =>
      Object(delivery.data).customer === 'person'
    const forgetting = inbox.forget({ service: 'stripe', where })
    open()
    expect(await forgetting).toBe(4)
    expect((await inbox.list()).map(({ deliveryId }) => deliveryId)).toEqual(['other'])
    expect(await queryPostgres(`SELECT delivery_id FROM ${table}`)).toEqual([
      { delivery_id: 'other' },
    ])
    await store(inbox, 'later', 'person')
    await reached(inbox, 'done', 2)
    expect(ran).toContain('later')
  })

  test('are warned of what is due and has no handlers, once', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(quiet)
    const renamed = postgresInbox({
      ...{ pool, table },
      services: { billing: { scheme: stripe, handlers: quiet } },
    })
    await renamed.receive('billing')(stripeDelivery('old'), verified('old'))
    await queryPostgres(`UPDATE ${table}_open SET due = now() - interval '6 minutes'`)
    await renamed.receive('billing')(stripeDelivery('new'), verified('new'))
    await started(inboxOf(quiet))
    await until(() => expect(warned).toHaveBeenCalled())
    await stop()
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining("deliveries of the service 'billing' have been due for more than")],
    ])
  })
})

withPostgres('a worker', () => {
  test('leaves room for others beside a service with a limit', async () => {
    let running = 0
    let most = 0
    const { wait, open } = gate()
    const ran: string[] = []
    const inbox = postgresInbox({
      ...{ pool, table, onError: quiet },
      services: {
        slow: {
          scheme: stripe,
          concurrency: 2,
          async handlers() {
            running++
            most = Math.max(most, running)
            await wait()
            running--
          },
        },
        fast: { scheme: stripe, handlers: ({ id }) => ran.push(String(id)) },
      },
    })
    for (let at = 0; at < 24; at++) {
      await inbox.receive('slow')(stripeDelivery(`slow_${at}`), verified(`slow_${at}`))
    }
    await inbox.receive('fast')(stripeDelivery('fast'), verified('fast'))
    const worker = await inbox.work({ concurrency: 4 })
    await until(() => expect(ran).toEqual(['fast']))
    await until(() => expect(running).toBe(2))
    open()
    await reached(inbox, 'done', 25)
    expect(most).toBe(2)
    await worker.stop()
  })

  test('that looks once an hour begins at once what its process has stored', async () => {
    const inbox = inboxOf(quiet)
    const worker = await inbox.work({ poll: 3600 })
    await store(inbox, 'evt_1')
    await reached(inbox, 'done', 1)
    await worker.stop()
  })

  test('tells the handler when its delivery was received, and in which trace', async () => {
    const seen: unknown[] = []
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const before = Date.now()
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    const traces = [() => parent, () => undefined, () => JSON.parse('')]
    const inbox = inboxOf(
      ({ id }, { receivedAt, trace }) => {
        seen.push([id, trace, Math.abs(receivedAt.getTime() - before) < 600_000])
      },
      { trace: () => traces.shift()?.() },
    )
    for (const id of ['traced', 'untraced', 'failed']) await store(inbox, id, 'a')
    await started(inbox)
    await until(() => expect(seen).toHaveLength(3))
    expect(seen).toEqual([
      ['traced', parent, true],
      ['untraced', undefined, true],
      ['failed', undefined, true],
    ])
    expect(said.mock.calls.join()).toContain('`trace` threw an error')
  })

  test('of one inbox does not wait for that of another with the same key', async () => {
    const { inboxOf: otherOf, started: startedThere } = other
    const { entered, wait, open } = gate()
    const inbox = await started(inboxOf(wait))
    await store(inbox, 'evt_1', 'a')
    await entered
    const beside = await startedThere(otherOf(quiet))
    await store(beside, 'evt_1', 'a')
    await reached(beside, 'done', 1)
    open()
  })
})

const other = useInbox()
