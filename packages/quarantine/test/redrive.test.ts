import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createDeliveryHandler, memoryStore } from '@webhook-receiver/core/handling'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shortHash } from '../src/entry.ts'
import {
  dropKept,
  folderQuarantine,
  listKept,
  openKept,
  type Redriven,
  RedriveRunningError,
  redrive,
} from '../src/index.ts'
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

test('the same delivery to another endpoint is not a copy', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  const [name = ''] = await listKept(folder)
  const text = await readFile(join(folder, name), 'utf8')
  await writeFile(join(folder, `3${name}`), text.replace('"/webhooks"', '"/others"'))
  const targets: string[] = []
  const results = await collect(
    redrive(folder, { secret: RIGHT, deliver: async (_, { target }) => void targets.push(target) }),
  )
  expect(outcomes(results)).toEqual(['delivered', 'delivered'])
  expect(targets).toEqual(['/webhooks', '/others'])
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

test('hands nothing over while another redrive of the folder does', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  for (let index = 0; index < 3; index++) await send(await delivery(RIGHT))
  const handled: string[] = []
  const options = {
    secret: RIGHT,
    deliver: async ({ delivery: { id } }: { delivery: { id: string } }) => void handled.push(id),
  }
  const first = redrive(folder, options)
  await first.next()
  await expect(collect(redrive(folder, options))).rejects.toThrow(RedriveRunningError)
  // Verifying alone disturbs nobody.
  expect(outcomes(await collect(redrive(folder, { secret: RIGHT })))).toEqual([
    'genuine',
    'genuine',
  ])
  expect(outcomes(await collect(first))).toEqual(['delivered', 'delivered'])
  expect(new Set(handled).size).toBe(3)
  expect(await readdir(folder)).toEqual([])
})

test('a redrive that was killed or left stops none, and one on another machine does', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  for (let index = 0; index < 2; index++) await send(await delivery(RIGHT))
  const options = { secret: RIGHT, deliver: async () => undefined }
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const machine = shortHash(8, hostname())
  await writeFile(join(folder, `.redrive-${machine}-${dead}-00000000.lock`), '')
  // Such as process 1 of a container that was started again.
  await writeFile(join(folder, `.redrive-${machine}-${process.pid}-00000000.lock`), '')
  for await (const { outcome } of redrive(folder, options)) {
    expect(outcome).toBe('delivered')
    break
  }
  expect(await readdir(folder)).toHaveLength(1)
  const elsewhere = `.redrive-00000000-${process.pid}-00000000.lock`
  await writeFile(join(folder, elsewhere), '')
  await expect(collect(redrive(folder, options))).rejects.toThrow(`remove the file ${elsewhere}`)
})

const machine = shortHash(8, hostname())

test.each([
  ['a living process of this machine', machine, process.ppid, undefined, 'process PID).'],
  ['a process of another user', machine, 4_000_000_000, 'EPERM', 'process PID).'],
  ['no process any more', machine, 4_000_000_000, 'ESRCH', undefined],
  ['a process elsewhere', '00000000', 1, undefined, 'process PID on another machine).'],
])('beside a lock of %s', async (_, where, pid, code, message) => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  if (code) {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill'), { code })
    })
    onTestFinished(() => kill.mockRestore())
  }
  const lock = `.redrive-${where}-${pid}-0a1b2c3d.lock`
  const files = ['.senders.json', `x${lock}`, `${lock}x`, '.redrive-0-1-2.lock']
  for (const name of [lock, ...files]) await writeFile(join(folder, name), '')
  const run = collect(redrive(folder, { secret: RIGHT, deliver: async () => undefined }))
  if (message) {
    await expect(run).rejects.toMatchObject({
      name: 'RedriveRunningError',
      message: `Another redrive of this folder is running (${message.replace('PID', String(pid))} If that is not so, remove the file ${lock} from it.`,
    })
    expect(await listKept(folder)).toHaveLength(1)
    // It has not left a lock of its own.
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock')).sort()).toEqual(
      ['.redrive-0-1-2.lock', lock, `x${lock}`].sort(),
    )
  } else {
    expect(outcomes(await run)).toEqual(['delivered'])
    expect((await readdir(folder)).sort()).toEqual(files.sort())
  }
})

test('only the owner can read its lock, and it ends when somebody has removed the lock', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  const locks: string[] = []
  const deliver = async () => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.lock')) continue
      locks.push(name)
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
      await rm(join(folder, name))
    }
  }
  expect(outcomes(await collect(redrive(folder, { secret: RIGHT, deliver })))).toEqual([
    'delivered',
  ])
  expect(locks).toEqual([
    expect.stringMatching(new RegExp(`^\\.redrive-${machine}-${process.pid}-[0-9a-f]{8}\\.lock$`)),
  ])
})

test('says of each file what became of it, and skips one that is gone', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const send = sender(quarantine, WRONG)
  const sent = await Promise.all([1, 2, 3].map(() => delivery(RIGHT)))
  for (const one of sent) await send(one)
  const names = await listKept(folder)
  const requests = await Promise.all(names.map((name) => openKept(folder, name)))
  const ids = requests.map(({ body }) => JSON.parse(String(Buffer.from(body))).id)
  expect([...ids].sort()).toEqual(sent.map(({ id }) => id))
  await mkdir(join(folder, '9999.json'))
  const results = await collect(
    redrive(folder, {
      secret: RIGHT,
      deliver: async ({ delivery }) => {
        // Another one handles the next file, and somebody removes this one.
        if (delivery.id === ids[0])
          for (const name of names.slice(0, 2)) await dropKept(folder, name)
      },
    }),
  )
  const event = 'message.received'
  expect(results).toEqual([
    { name: names[0], request: requests[0], id: ids[0], event, outcome: 'delivered' },
    { name: names[2], request: requests[2], id: ids[2], event, outcome: 'delivered' },
    {
      name: '9999.json',
      outcome: 'unreadable',
      error: expect.objectContaining({ code: 'EISDIR' }),
    },
  ])
})

test('lists captures in the order of their names, and nothing else', async () => {
  const folder = await temporaryFolder()
  await mkdir(folder)
  const names = Array.from({ length: 40 }, (_, index) => `${(index * 7) % 40}.json`)
  for (const name of [
    ...names,
    '.hidden.json',
    'a.json.bak',
    'b.JSON',
    'json',
    '.json',
    'x\ny.json',
  ])
    await writeFile(join(folder, name), '')
  expect(await listKept(folder)).toEqual([...names, 'x\ny.json'].sort())
  expect(await listKept(folder)).not.toContain('.json')
})

test.each([
  ['X-Webhook-Signature', 'signature_malformed', 'signature_missing'],
  ['X-Webhook-Timestamp', 'signature_mismatch', 'timestamp_missing'],
])('two headers %s are not one, nor is none', async (header, reason, missing) => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  const [name = ''] = await listKept(folder)
  const kept = JSON.parse(await readFile(join(folder, name), 'utf8'))
  const changed = async (change: (value: string) => readonly string[]) => {
    const headers = kept.headers.flatMap(([one, value]: [string, string]) =>
      one === header ? change(value).map((part) => [one.toUpperCase(), part]) : [[one, value]],
    )
    await writeFile(join(folder, name), JSON.stringify({ ...kept, headers }))
    const [result] = await collect(redrive(folder, { secret: RIGHT }))
    return result
  }
  expect(await changed((value) => [value])).toMatchObject({ outcome: 'genuine' })
  expect(await changed((value) => [value.slice(0, 9), value.slice(9)])).toMatchObject({
    outcome: 'rejected',
    reason,
  })
  expect(await changed(() => [])).toMatchObject({ reason: missing })
})

test.each([null, 1, 'text', [], { reason: 'signature_mismatch' }])(
  'reads a capture of another program with %j in the place of the reason',
  async (rejected) => {
    const folder = await temporaryFolder()
    await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
    const [name = ''] = await listKept(folder)
    const kept = JSON.parse(await readFile(join(folder, name), 'utf8'))
    await writeFile(join(folder, name), JSON.stringify({ ...kept, rejected }))
    const isObject = typeof rejected === 'object' && rejected !== null
    expect((await openKept(folder, name)).rejected).toEqual(isObject ? rejected : undefined)
  },
)
