import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeliveryHandler, memoryStore, webhookHandler } from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { bodyScheme } from '@webhook-receiver/suites'
import { expect, test, vi } from 'vitest'
import { folderQuarantine, redrive } from '../src/index.ts'
import { listKept } from '../src/internal.ts'
import { RIGHT, temporaryFolder, WRONG } from './records.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const service = bodyScheme
const quiet = { onRejected: false } as const

/** A delivery of the default format with always the same id, to a path. */
async function send(handler: (request: Request) => Promise<Response>, path: string) {
  const text = JSON.stringify(sampleDelivery('message.received', { id: ID }))
  const { headers, body } = await signDelivery(RIGHT, new TextEncoder().encode(text))
  return posted(handler, path, headers, body)
}

/** A delivery of a service whose id is not signed. */
async function sendService(
  handler: (request: Request) => Promise<Response>,
  id: string,
  path = '/',
) {
  const { headers, body } = await signDelivery(
    RIGHT,
    { n: 1 },
    { scheme: service, id, event: 'push' },
  )
  return posted(handler, path, headers, body)
}

async function posted(
  handler: (request: Request) => Promise<Response>,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
) {
  const url = `https://example.com${path}`
  return (await handler(new Request(url, { method: 'POST', headers, body }))).status
}

async function outcomes(redriving: ReturnType<typeof redrive>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { outcome, error } of redriving) {
    found.push(outcome === 'unreadable' ? String(error) : outcome)
  }
  return found
}

const tenantOf = ({ url }: Request) => new URL(url).pathname.slice(1)

test('two tenants with one id are both handled, and what was handled before is not', async () => {
  const folder = await temporaryFolder()
  const [store, work] = [memoryStore(), vi.fn()]
  const receiver = (secret: string, quarantine = folderQuarantine(folder)) =>
    webhookHandler(secret, ({ id }, { verification }) => work(id, verification.endpoint), {
      ...{ ...quiet, store, quarantine, endpoint: tenantOf },
    })
  const wrong = receiver(WRONG)
  for (const tenant of ['/acme', '/globex', '/initech']) expect(await send(wrong, tenant)).toBe(401)
  // The service retries one of them.
  expect(await send(receiver(RIGHT), '/initech')).toBe(204)
  const handle = createDeliveryHandler(({ id }) => work(id, 'redriven'), { store })
  const redriving = redrive(folder, {
    secret: RIGHT,
    endpoint: ({ target }) => target.slice(1),
    deliver: ({ delivery, verification }) => handle(delivery, verification),
  })
  expect((await outcomes(redriving)).toSorted()).toEqual(['delivered', 'delivered', 'duplicate'])
  expect(work.mock.calls).toEqual([
    [ID, 'default:initech'],
    [ID, 'redriven'],
    [ID, 'redriven'],
  ])
  expect(await listKept(folder)).toEqual([])
  // With the keys of the receiver.
  expect(await send(receiver(RIGHT), '/acme')).toBe(204)
  expect(work).toHaveBeenCalledTimes(3)
})

test('without a function for the tenants, nothing is merged or removed', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const receiver = webhookHandler(WRONG, () => {}, { ...quiet, quarantine, endpoint: tenantOf })
  for (const path of ['/acme', '/globex']) await send(receiver, path)
  for (const named of [undefined, 'billing']) {
    const deliver = vi.fn()
    const redriving = redrive(folder, { secret: RIGHT, endpoint: named, deliver })
    const names = expect.stringContaining(
      'TypeError: The receiver that kept this request names a tenant',
    )
    expect(await outcomes(redriving)).toEqual([names, names])
    expect(deliver).not.toHaveBeenCalled()
  }
  expect(await listKept(folder)).toHaveLength(2)
})

test('what came again under another id, which is not signed, is a duplicate by its body', async () => {
  const folder = await temporaryFolder()
  const [store, work] = [memoryStore(), vi.fn()]
  const options = { ...quiet, scheme: service, store, duplicates: 'body' } as const
  const quarantine = folderQuarantine(folder)
  expect(await sendService(webhookHandler(WRONG, work, { ...options, quarantine }), 'one')).toBe(
    401,
  )
  expect(await sendService(webhookHandler(RIGHT, work, options), 'two')).toBe(204)
  const handle = createDeliveryHandler(work, { scheme: service, store, duplicates: 'body' })
  const run = (duplicates: 'id' | 'body' | undefined) =>
    outcomes(
      redrive(folder, {
        ...{ secret: RIGHT, scheme: service, duplicates },
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
  const names = ['billing', 'analytics', undefined]
  for (const [at, endpoint] of names.entries()) {
    await send(
      webhookHandler(WRONG, () => {}, { ...quiet, quarantine, endpoint }),
      `/${at}`,
    )
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
