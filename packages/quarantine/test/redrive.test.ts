import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import { expect, test } from 'vitest'
import { folderQuarantine, listKept, type Redriven, redrive } from '../src/index.ts'
import { delivery, RIGHT, sender, temporaryFolder, WRONG } from './records.ts'

async function collect(all: AsyncIterable<Redriven>): Promise<Redriven[]> {
  const found: Redriven[] = []
  for await (const one of all) found.push(one)
  return found
}

const outcomes = (all: readonly Redriven[]) => all.map(({ outcome }) => outcome)

test('handles each genuine delivery once, in the order of arrival, and no forgery', async () => {
  const folder = await temporaryFolder()
  let time = Date.now() - 10_000_000
  const now = () => time
  const send = sender(folderQuarantine(folder, { now }), WRONG, now)
  const ids: string[] = []
  for (let index = 0; index < 5; index++) {
    time += 1000
    const genuine = await delivery(RIGHT, { at: time })
    ids.push(genuine.id)
    await send(genuine)
    await send(await delivery('whsec_forger', { at: time }))
  }
  const handled: string[] = []
  const handle = createDeliveryHandler(
    { any: async ({ id }) => void handled.push(id) },
    { store: memoryStore() },
  )
  const results = await collect(
    redrive(folder, { secret: RIGHT, deliver: ({ delivery }) => handle(delivery) }),
  )
  expect(handled).toEqual(ids)
  expect(outcomes(results).filter((outcome) => outcome === 'delivered')).toHaveLength(5)
  expect(outcomes(results).filter((outcome) => outcome === 'rejected')).toHaveLength(5)
  expect(await listKept(folder)).toHaveLength(5)
  const again = await collect(
    redrive(folder, { secret: RIGHT, deliver: ({ delivery }) => handle(delivery) }),
  )
  expect(outcomes(again)).toEqual(Array(5).fill('rejected'))
  expect(handled).toHaveLength(5)
})

test('removes nothing without deliver, and keeps what could not be handled', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  expect(outcomes(await collect(redrive(folder, { secret: RIGHT })))).toEqual(['genuine'])
  const error = new Error('down')
  const failed = await collect(
    redrive(folder, { secret: RIGHT, deliver: () => Promise.reject(error) }),
  )
  expect(failed).toEqual([expect.objectContaining({ outcome: 'failed', error })])
  expect(await listKept(folder)).toHaveLength(1)
})

test('a second copy of a delivery is removed and not handled, once the first was', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const first = await delivery(RIGHT)
  const send = sender(quarantine, WRONG)
  await send(first)
  const { signDelivery } = await import('@webhook-receiver/core/testing')
  const { headers } = await signDelivery(RIGHT, Buffer.from(first.body), {
    now: () => Date.now() - 60_000,
  })
  await send({ ...first, headers: { ...headers } }, '192.0.2.1')
  let count = 0
  const results = await collect(
    redrive(folder, { secret: RIGHT, deliver: async () => void count++ }),
  )
  expect(outcomes(results)).toEqual(['delivered', 'duplicate'])
  expect(count).toBe(1)
  expect(await listKept(folder)).toEqual([])
})

test('what is stale at its arrival stays, unless the tolerance says otherwise', async () => {
  const folder = await temporaryFolder()
  const old = await delivery(RIGHT, { at: Date.now() - 3_600_000 })
  await sender(folderQuarantine(folder), RIGHT)(old)
  expect(await collect(redrive(folder, { secret: RIGHT }))).toEqual([
    expect.objectContaining({ outcome: 'rejected', reason: 'timestamp_too_old' }),
  ])
  const raised = await collect(redrive(folder, { secret: RIGHT, tolerance: 7200 }))
  expect(outcomes(raised)).toEqual(['genuine'])
})

test('continues after a file that is not a capture, and refuses a wrong secret at once', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  await writeFile(join(folder, '0.json'), '{}')
  expect(outcomes(await collect(redrive(folder, { secret: RIGHT })))).toEqual([
    'unreadable',
    'genuine',
  ])
  await expect(collect(redrive(folder, { secret: undefined }))).rejects.toThrow(TypeError)
})

test('finds the secret of a tenant in the request that was kept', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  const results = await collect(
    redrive(folder, { secret: ({ target }) => (target === '/webhooks' ? RIGHT : 'whsec_other') }),
  )
  expect(outcomes(results)).toEqual(['genuine'])
})
