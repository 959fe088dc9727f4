import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { startBouncer } from '@webhook-receiver/checks/servers.mjs'
import { afterEach, expect, test } from 'vitest'
import { quiet, store, until, useInbox, withPostgres } from './fixture.ts'
import { DATABASE_URL } from './inboxes.ts'

const { table, inboxOf, effectsThere } = useInbox()
const inbox = inboxOf(quiet)
const CUSTOMERS = 20

afterEach(() => stopPrograms('SIGKILL'))

async function startWorker(url = DATABASE_URL) {
  const path = fileURLToPath(new URL('worker-process.ts', import.meta.url))
  const args = ['--conditions=@webhook-receiver/source', '--import', 'tsx', path, url, table]
  const worker = startProgram(process.execPath, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
  await worker.printed(/^Working/m)
  return worker
}

/** Stores deliveries, those of each customer one behind the other, and some of them twice. */
async function storeAll(count: number) {
  await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, customer) => {
      for (let number = customer; number < count; number += CUSTOMERS) {
        const copies = Array.from({ length: number % 3 === 0 ? 2 : 1 }, () =>
          store(inbox, `${number}`, `cus_${customer}`),
        )
        await Promise.all(copies)
      }
    }),
  )
}

/** Once all are done: each has had its effect once, and those of a customer in their order. */
async function expectAllHandled(count: number) {
  const none = { waiting: 0, running: 0, dead: 0 }
  await until(async () => expect(await inbox.stats()).toMatchObject([none]))
  const found = (await effectsThere()).map(Number)
  const sorted = found.toSorted((one, other) => one - other)
  expect(sorted).toEqual(Array.from({ length: count }, (_, number) => number))
  for (let customer = 0; customer < CUSTOMERS; customer++) {
    const isOwn = (number: number) => number % CUSTOMERS === customer
    expect(found.filter(isOwn)).toEqual(sorted.filter(isOwn))
  }
}

withPostgres('several workers', () => {
  test('four processes handle each delivery once and in order, while they are killed', async () => {
    const workers = await Promise.all([1, 2, 3, 4].map(() => startWorker()))
    const storing = storeAll(800)
    for (let kill = 0; kill < 8; kill++) {
      await delay(200)
      await workers[kill % 4]?.stop('SIGKILL')
      workers[kill % 4] = await startWorker()
    }
    await storing
    await expectAllHandled(800)
  })

  test('work behind PgBouncer with pool_mode = transaction', async () => {
    const bouncer = await startBouncer(DATABASE_URL)
    try {
      const workers = await Promise.all([startWorker(bouncer.url), startWorker(bouncer.url)])
      await storeAll(200)
      await expectAllHandled(200)
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
    } finally {
      await bouncer.remove()
    }
  })
})
