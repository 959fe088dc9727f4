import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeliveryHandler, memoryStore, webhookHandler } from '@webhook-receiver/core'
import { deliverTo } from '@webhook-receiver/core/testing'
import { bodyScheme } from '@webhook-receiver/suites'
import { expect, test, vi } from 'vitest'
import { folderQuarantine, redrive } from '../src/index.ts'
import { listKept } from '../src/internal.ts'
import { RIGHT, temporaryFolder, WRONG } from './records.ts'

const quiet = { onRejected: false } as const

type Handler = (request: Request) => Promise<Response>

/** Sends a delivery of the default format with always the same id, to a path, and resolves to the status. */
const send = async (handler: Handler, path: string) =>
  (await deliverTo(handler, 'message.received', {}, { id: 'same', secret: RIGHT, path })).status

async function outcomes(redriving: ReturnType<typeof redrive>) {
  const found: string[] = []
  for await (const { outcome, error } of redriving) {
    found.push(outcome === 'unreadable' ? String(error) : outcome)
  }
  return found.toSorted()
}

const tenantOf = ({ url }: Request) => new URL(url).pathname.slice(1)

test('two tenants with one id are both handled, and what was handled before is not', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const [store, work] = [memoryStore(), vi.fn()]
  const receiver = (secret: string) =>
    webhookHandler(secret, (_delivery, { verification }) => work(verification.endpoint), {
      ...{ ...quiet, store, quarantine, endpoint: tenantOf },
    })
  for (const tenant of ['/acme', '/globex', '/initech'])
    expect(await send(receiver(WRONG), tenant)).toBe(401)
  // The service retries one of them.
  expect(await send(receiver(RIGHT), '/initech')).toBe(204)
  const handle = createDeliveryHandler(() => work('redriven'), { store })
  const redriving = redrive(folder, {
    secret: RIGHT,
    endpoint: ({ target }) => target.slice(1),
    deliver: ({ delivery, verification }) => handle(delivery, verification),
  })
  expect(await outcomes(redriving)).toEqual(['delivered', 'delivered', 'duplicate'])
  // With the keys of the receiver.
  expect(await send(receiver(RIGHT), '/acme')).toBe(204)
  expect(work.mock.calls.flat()).toEqual(['default:initech', 'redriven', 'redriven'])
  expect(await listKept(folder)).toEqual([])
})

test('without a function for the tenants, nothing is merged or removed', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const receiver = webhookHandler(WRONG, () => {}, { ...quiet, quarantine, endpoint: tenantOf })
  for (const path of ['/acme', '/globex']) await send(receiver, path)
  const deliver = vi.fn()
  for (const endpoint of [undefined, 'billing']) {
    const names = expect.stringContaining(
      'TypeError: The receiver that kept this request names a tenant',
    )
    const redriving = redrive(folder, { secret: RIGHT, endpoint, deliver })
    expect(await outcomes(redriving)).toEqual([names, names])
  }
  expect(deliver).not.toHaveBeenCalled()
  expect(await listKept(folder)).toHaveLength(2)
})

test('what came again under another id, which is not signed, is a duplicate by its body', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const [store, work, scheme] = [memoryStore(), vi.fn(), bodyScheme]
  const options = { ...quiet, scheme, store, duplicates: 'body' } as const
  const post = async (secret: string, id: string) => {
    const handler = webhookHandler(secret, work, { ...options, quarantine })
    return (await deliverTo(handler, 'push', { n: 1 }, { secret: RIGHT, scheme, id })).status
  }
  expect([await post(WRONG, 'one'), await post(RIGHT, 'two')]).toEqual([401, 204])
  const handle = createDeliveryHandler(work, { scheme, store, duplicates: 'body' })
  const run = (duplicates: 'body' | undefined) =>
    outcomes(
      redrive(folder, {
        ...{ secret: RIGHT, scheme, duplicates },
        deliver: ({ delivery, verification }) => handle(delivery, verification),
      }),
    )
  // Its key would be that of the unsigned id, which is not what the handler goes by.
  expect(await run(undefined)).toEqual(['failed'])
  expect(await run('body')).toEqual(['duplicate'])
  expect(work).toHaveBeenCalledTimes(1)
  expect(await listKept(folder)).toEqual([])
})

test('without an `endpoint`, each request has that of the receiver that kept it', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  for (const endpoint of ['billing', 'analytics', undefined]) {
    const receiver = webhookHandler(WRONG, () => {}, { ...quiet, quarantine, endpoint })
    await send(receiver, `/${endpoint}`)
  }
  const seen: unknown[] = []
  const run = () =>
    outcomes(
      redrive(folder, {
        secret: RIGHT,
        deliver: async ({ verification }) => seen.push(verification.endpoint),
      }),
    )
  const [name = ''] = await listKept(folder)
  const kept = await readFile(join(folder, name), 'utf8')
  expect(await run()).toEqual(['delivered', 'delivered', 'delivered'])
  expect(seen.toSorted()).toEqual(['analytics', 'billing', 'default'])
  // What somebody has edited has no key.
  await writeFile(join(folder, name), JSON.stringify({ ...JSON.parse(kept), endpoint: 'a b' }))
  expect(await run()).toEqual([expect.stringContaining('`endpoint` should be 1 to 64 letters')])
  expect(seen).toHaveLength(3)
})
