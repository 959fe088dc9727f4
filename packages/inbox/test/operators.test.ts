import { postgresInbox } from '@webhook-receiver/inbox'
import { stripe } from '@webhook-receiver/schemes'
import { expect, test, vi } from 'vitest'
import {
  gate,
  idsOf,
  notYet,
  quiet,
  reached,
  store,
  until,
  useInbox,
  withPostgres,
} from './fixture.ts'
import { queryPostgres, stripeDelivery, verified } from './inboxes.ts'

const { table, settings, inboxOf, started, stop } = useInbox()
const other = useInbox()

withPostgres('operators', () => {
  test('retry many in the order in which they were received, all of them, and go on after an interruption', async () => {
    let broken = true
    const ran: string[] = []
    const inbox = inboxOf(({ id }) => (broken ? notYet() : ran.push(id)), { attempts: 1 })
    const ids = idsOf(50)
    for (const id of ids) await store(inbox, id, 'a')
    await started(inbox)
    const dead = await reached(inbox, 'dead', 50)
    broken = false
    expect(await inbox.retry({ before: dead.at(-1)?.id })).toEqual({ retried: 0 })
    expect(await inbox.retry({ service: 'other' })).toEqual({ retried: 0 })
    const interrupted = new AbortController()
    const { signal } = interrupted
    const onProgress = vi.fn(() => interrupted.abort())
    const first = await inbox.retry({ rate: 20, signal, onProgress })
    expect(first).toMatchObject({ retried: 20 })
    expect(onProgress.mock.calls).toEqual([[first]])
    expect(await inbox.retry({ rate: 10_000, after: first.last })).toMatchObject({ retried: 30 })
    await until(() => expect(ran).toEqual(ids))
    expect(await inbox.retry({ state: 'dead' })).toEqual({ retried: 0 })
    await expect(inbox.retry(Object({ state: 'waiting' }))).rejects.toThrow(
      "`state` should be 'dead' or 'done'",
    )
  })

  test('delete what there is of one person, in whatever state, once, and the next of its key runs', async () => {
    const { entered, wait, open } = gate()
    const inbox = inboxOf(({ id }) => (id === 'dead' ? notYet() : id === 'runs' && wait()), {
      attempts: 1,
    })
    for (const id of ['done', 'dead']) await store(inbox, id, 'person')
    await store(inbox, 'other', 'somebody')
    await started(inbox, 1)
    await reached(inbox, 'done', 2)
    await reached(inbox, 'dead', 1)
    for (const id of ['runs', 'waits']) await store(inbox, id, 'person')
    await store(inbox, 'meanwhile')
    await entered
    const where = vi.fn(({ id }: object & { id?: unknown }) => id !== 'other')
    const forgetting = inbox.forget({ service: 'stripe', where })
    await until(() =>
      expect(where).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'runs' })),
    )
    const meanwhile = async ({ id }: object & { id?: unknown }) => id === 'meanwhile'
    expect(await inbox.forget({ service: 'stripe', where: meanwhile })).toBe(1)
    open()
    expect(await forgetting).toBe(4)
    const left = await queryPostgres(`SELECT delivery_id FROM ${table}`)
    expect(left).toEqual([{ delivery_id: 'other' }])
    await store(inbox, 'later', 'person')
    const ids = (await reached(inbox, 'done', 2)).map(({ deliveryId }) => deliveryId)
    expect(ids).toEqual(['later', 'other'])
  })

  test('delete what waits for another of its key by a claim that is kept, so that no worker counts its end as that of a process', async () => {
    const { entered, wait, open } = gate()
    const inbox = inboxOf(wait)
    for (const id of ['runs', 'waits']) await store(inbox, id, 'person')
    await started(inbox)
    await entered
    const where = ({ id }: object & { id?: unknown }) => id === 'waits'
    const forgetting = inbox.forget({ service: 'stripe', where })
    const claimed = () =>
      until(async () => {
        const rows = await queryPostgres<{ token: string; lease: string }>(
          `SELECT token, lease::text FROM ${table}_open WHERE lease IS NOT NULL AND due IS NULL`,
        )
        expect(rows).toHaveLength(1)
        return rows[0]
      })
    const first = await claimed()
    await until(async () => expect((await claimed())?.lease).not.toBe(first?.lease))
    expect((await claimed())?.token).toBe(first?.token)
    open()
    expect(await forgetting).toBe(1)
    await reached(inbox, 'done', 1)
  })

  test('are warned of what is due and has no handlers, once', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(quiet)
    const services = { billing: { scheme: stripe, handlers: quiet } }
    const receive = (id: string) =>
      postgresInbox({ ...settings, services }).receive('billing')(stripeDelivery(id), verified(id))
    await receive('old')
    await queryPostgres(`UPDATE ${table}_open SET due = now() - interval '6 minutes'`)
    await receive('new')
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
    let most = 0
    const running = new Set<unknown>()
    const { wait, open } = gate()
    const ran: unknown[] = []
    const inbox = postgresInbox({
      ...settings,
      services: {
        slow: {
          ...{ scheme: stripe, concurrency: 2 },
          async handlers({ id }) {
            most = Math.max(most, running.add(id).size)
            await wait()
            running.delete(id)
          },
        },
        fast: { scheme: stripe, handlers: ({ id }) => ran.push(id) },
      },
    })
    const receive = (name: 'slow' | 'fast', id: string) =>
      inbox.receive(name)(stripeDelivery(id), verified(id))
    for (let at = 0; at < 24; at++) await receive('slow', `slow_${at}`)
    await receive('fast', 'fast')
    await started(inbox)
    await until(() => expect(ran).toEqual(['fast']))
    await until(() => expect(running.size).toBe(2))
    open()
    await reached(inbox, 'done', 25)
    expect(most).toBe(2)
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
    const before = Date.now()
    const said = vi.spyOn(console, 'error').mockImplementation(quiet)
    const trace = vi.fn<() => string | undefined>().mockReturnValueOnce('00-4bf92f35-00f067aa-01')
    const inbox = inboxOf(
      ({ id }, { receivedAt, ...context }) =>
        seen.push([id, context.trace, Math.abs(receivedAt.getTime() - before) < 600_000]),
      { trace: trace.mockReturnValueOnce(undefined).mockImplementation(notYet) },
    )
    for (const id of ['traced', 'untraced', 'failed']) await store(inbox, id, 'a')
    await started(inbox)
    await until(() => expect(seen).toHaveLength(3))
    expect(seen).toEqual([
      ['traced', '00-4bf92f35-00f067aa-01', true],
      ['untraced', undefined, true],
      ['failed', undefined, true],
    ])
    expect(said.mock.calls.join()).toContain('`trace` threw an error')
  })

  test('of one inbox does not wait for that of another with the same key', async () => {
    const { entered, wait, open } = gate()
    const inbox = await started(inboxOf(wait))
    await store(inbox, 'evt_1', 'a')
    await entered
    const beside = await other.started(other.inboxOf(quiet))
    await store(beside, 'evt_1', 'a')
    await reached(beside, 'done', 1)
    open()
  })
})
