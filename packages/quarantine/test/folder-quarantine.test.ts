import { chmodSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createReceiver } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderQuarantine, listKept, openKept } from '../src/index.ts'
import { readKept } from '../src/kept-request.ts'
import { delivery, RIGHT, record, sender, stopClock, temporaryFolder, WRONG } from './records.ts'

/** The function that is called every hour, to call it at once. */
function everyHour(): () => void {
  const spy = vi.spyOn(globalThis, 'setInterval')
  onTestFinished(() => spy.mockRestore())
  return () => {
    for (const [action, pause] of spy.mock.calls) if (pause === 3_600_000) action()
  }
}

test('keeps what a wrong secret refuses as a capture that only the owner can read', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  const sent = await delivery(RIGHT)
  const credentials = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Other': 'kept' }
  expect(await send({ ...sent, headers: { ...sent.headers, ...credentials } }, '192.0.2.1')).toBe(
    401,
  )
  const names = await listKept(folder)
  expect(names).toHaveLength(1)
  const [name = ''] = names
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  const kept = await openKept(folder, name)
  expect(Buffer.from(kept.body).toString()).toBe(sent.body)
  expect(kept.headers).toEqual([...Object.entries(sent.headers), ['X-Other', 'kept']])
  expect(kept.target).toBe('/webhooks')
  expect(kept.rejected).toMatchObject({
    reason: 'signature_mismatch',
    status: 401,
    authentic: false,
    address: '192.0.2.1',
    secrets: [{ fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) }],
  })
  const text = await readFile(join(folder, name), 'utf8')
  expect(text).not.toContain(WRONG)
  expect(text).not.toContain('Bearer')
})

test('keeps one copy of a delivery from each sender', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const send = sender(quarantine, WRONG)
  const sent = await delivery(RIGHT)
  await Promise.all([send(sent), send(sent), send(sent)])
  expect(await listKept(folder)).toHaveLength(1)
  const restarted = sender(folderQuarantine(folder), WRONG)
  await restarted(sent)
  expect(await listKept(folder)).toHaveLength(1)
  const again = { ...sent.headers, 'X-Webhook-Timestamp': '1769860800' }
  await restarted({ ...sent, headers: again })
  expect(await listKept(folder)).toHaveLength(1)
  await restarted(sent, '192.0.2.1')
  expect(await listKept(folder)).toHaveLength(2)
})

test('keeps the same delivery for each endpoint, since each may have a secret of its own', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const sent = await delivery(RIGHT)
  const send = sender(quarantine, WRONG)
  for (const url of ['/one', '/two', '/one']) await send(sent, '192.0.2.1', url)
  const kept = await listKept(folder)
  const targets = await Promise.all(kept.map(async (name) => (await openKept(folder, name)).target))
  expect(targets.sort()).toEqual(['/one', '/two'])
})

test('keeps one copy of what is authentic, wherever it is sent again from and to', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const stale = await delivery(RIGHT, { at: Date.now() - 3_600_000 })
  const send = sender(quarantine, RIGHT)
  for (let index = 0; index < 5; index++) await send(stale, `192.0.2.${index}`, `/x?${index}`)
  expect(await listKept(folder)).toHaveLength(1)
  // Of an endpoint with another secret.
  const other = sender(quarantine, 'whsec_other')
  const { headers } = await signDelivery('whsec_other', Buffer.from(stale.body), {
    now: () => Date.now() - 3_600_000,
  })
  await other({ ...stale, headers: { ...headers } })
  expect(await listKept(folder)).toHaveLength(2)
})

test('declines what no secret makes a delivery of', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  const sent = await delivery(RIGHT)
  expect(await send({ ...sent, body: '{"hello":"world"}' })).toBe(401)
  expect(await send({ ...sent, body: `${sent.body}\u0001` })).toBe(401)
  expect(await listKept(folder)).toEqual([])
})

test('keeps what is authentic, whatever is wrong with it', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), RIGHT)
  expect(await send(await delivery(RIGHT, { at: Date.now() - 3_600_000 }))).toBe(401)
  const [name = ''] = await listKept(folder)
  expect(name).toMatch(/-main-3-/)
  expect((await openKept(folder, name)).rejected?.reason).toBe('timestamp_too_old')
})

test('while deliveries are accepted, mismatches fill the reserve and nothing else', async () => {
  const folder = await temporaryFolder()
  let time = Date.now()
  const now = () => time
  const quarantine = folderQuarantine(folder, { maxEntries: 20, reserve: 3, now })
  const send = sender(quarantine, RIGHT, now)
  expect(await send(await delivery(RIGHT, { at: time }), '192.0.2.1')).toBe(204)
  for (let index = 0; index < 10; index++)
    await send(await delivery(WRONG, { at: time }), `198.51.100.${index}`)
  const names = await listKept(folder)
  expect(names).toHaveLength(3)
  expect(names.every((name) => name.includes('-reserve-'))).toBe(true)
  // The secret of the service changes, and nothing is accepted any more.
  time += 61_000
  for (let index = 0; index < 5; index++)
    await send(await delivery(WRONG, { at: time }), '192.0.2.1')
  const after = await listKept(folder)
  expect(after.filter((name) => name.includes('-main-2-'))).toHaveLength(5)
})

test('what is accepted under one secret says nothing of another', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  await sender(quarantine, RIGHT)(await delivery(RIGHT))
  await sender(quarantine, WRONG)(await delivery(RIGHT))
  expect((await listKept(folder))[0]).toContain('-main-')
})

test('known senders rank higher, also after a restart, and are written as hashes', async () => {
  const folder = await temporaryFolder()
  const before = folderQuarantine(folder)
  await sender(before, RIGHT)(await delivery(RIGHT, { instance: 'inst_known' }), '192.0.2.1')
  await before.close()
  const signs = await readFile(join(folder, '.senders.json'), 'utf8')
  expect(signs).not.toContain('inst_known')
  expect(signs).not.toContain('192.0.2.1')
  const send = sender(folderQuarantine(folder), WRONG)
  const ranks: string[] = []
  for (const [instance, address] of [
    ['inst_known', '192.0.2.1'],
    ['inst_known', '198.51.100.1'],
    ['inst_new', '::ffff:192.0.2.1'],
    ['inst_new', '198.51.100.1'],
    ['inst_new', undefined],
  ] as const) {
    const seen = new Set(await listKept(folder))
    await send(await delivery(RIGHT, { instance }), address)
    const added = (await listKept(folder)).find((name) => !seen.has(name))
    ranks.push(/-main-(\d)-/.exec(added ?? '')?.[1] ?? 'none')
  }
  expect(ranks).toEqual(['2', '1', '1', '0', '0'])
})

test('a flood beside known senders fills the folder to its bound and pushes none of them out', async () => {
  const folder = await temporaryFolder()
  const before = folderQuarantine(folder)
  await sender(before, RIGHT)(await delivery(RIGHT), '192.0.2.1')
  await before.close()
  const send = sender(folderQuarantine(folder, { maxEntries: 40, reserve: 0 }), WRONG)
  const ids: string[] = []
  for (let index = 0; index < 400; index++) {
    const forged = await delivery('whsec_forger', { instance: 'instance-2' })
    await send(forged, `198.51.${index % 250}.1`)
    if (index % 20 > 0) continue
    const genuine = await delivery(RIGHT)
    ids.push(genuine.id)
    await send(genuine, '192.0.2.1')
  }
  const names = await listKept(folder)
  expect(names).toHaveLength(40)
  const kept = await Promise.all(names.map((name) => openKept(folder, name)))
  const receiver = createReceiver<undefined>(RIGHT, { onRejected: false })
  const genuine = await Promise.allSettled(
    kept.map(({ headers, body }) =>
      receiver.receive({
        method: 'POST',
        header: (name) => headers.find(([other]) => other.toLowerCase() === name)?.[1],
        readBody: () => body,
        context: undefined,
      }),
    ),
  )
  const found = genuine.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value.delivery.id] : [],
  )
  expect(found.sort()).toEqual(ids.sort())
})

test('a burst without any sign does not make a slow disk refuse what has one', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  // An adapter without addresses.
  await sender(quarantine, RIGHT)(await delivery(RIGHT, { instance: 'known' }))
  const send = sender(quarantine, WRONG)
  const burst = await Promise.all(
    Array.from({ length: 600 }, (_, index) => delivery('whsec_forger', { instance: `${index}` })),
  )
  const answers = burst.map((forged) => send(forged))
  const genuine = await delivery(RIGHT, { instance: 'known' })
  // Now all of them wait to be written.
  await new Promise((resolve) => setImmediate(resolve))
  await send(genuine)
  await Promise.all(answers)
  const kept = await listKept(folder)
  const ids = await Promise.all(
    kept.map(
      async (name) => JSON.parse(String(Buffer.from((await openKept(folder, name)).body))).id,
    ),
  )
  expect(ids).toContain(genuine.id)
})

test('two processes on one folder come to the same files, within the bounds', async () => {
  const folder = await temporaryFolder()
  const pass = stopClock()
  const options = { maxEntries: 10, reserve: 0 }
  const [one, other] = [folderQuarantine(folder, options), folderQuarantine(folder, options)]
  const shared = await delivery(RIGHT)
  await Promise.all([sender(one, WRONG)(shared), sender(other, WRONG)(shared)])
  for (let index = 0; index < 10; index++) {
    await sender(index % 2 ? one : other, WRONG)(await delivery(RIGHT), `192.0.2.${index}`)
  }
  pass(1001)
  await Promise.all([
    sender(one, WRONG)(await delivery(RIGHT), '192.0.2.77'),
    sender(other, WRONG)(await delivery(RIGHT), '192.0.2.78'),
  ])
  pass(1001)
  await sender(one, WRONG)(await delivery(RIGHT), '192.0.2.1')
  const names = await listKept(folder)
  expect(names).toHaveLength(10)
  const digests = names.map((name) => name.split('-').at(-2))
  expect(new Set(digests).size).toBe(10)
})

test('what is too old is dropped, and what a killed process left half-written', async () => {
  const folder = await temporaryFolder()
  await sender(folderQuarantine(folder), WRONG)(await delivery(RIGHT))
  const draft = join(folder, '.2026.json.0a1b2c3d.part')
  await writeFile(draft, 'half')
  await utimes(draft, 0, 0)
  const later = () => Date.now() + 604_801_000
  folderQuarantine(folder, { now: later })
  expect(await readdir(folder)).toEqual([])
})

test('what a killed process left half-written goes while the next one runs, too', async () => {
  const folder = await temporaryFolder()
  const hour = everyHour()
  folderQuarantine(folder)
  const [old, fresh] = ['.a.json.0a1b2c3d.part', '.b.json.0a1b2c3d.part']
  for (const name of [old, fresh]) await writeFile(join(folder, name), 'half')
  await utimes(join(folder, old), 0, 0)
  hour()
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([fresh]))
})

test('a folder that was removed does not end the process at the next look', async () => {
  const folder = await temporaryFolder()
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const hour = everyHour()
  folderQuarantine(folder)
  await rm(folder, { recursive: true })
  hour()
  // The process tells of a rejection after the microtasks of the turn in which it came.
  await readdir(folder).catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(rejections).toEqual([])
})

test('what cannot be removed keeps nothing from being kept', async () => {
  const folder = await temporaryFolder()
  const first = folderQuarantine(folder)
  await sender(first, WRONG)(await delivery(RIGHT))
  const [name = ''] = await listKept(folder)
  // Somebody unpacked a backup here. It has the name of a request that is too old.
  mkdirSync(join(folder, name.replace(/^\d{4}/, '2001')))
  const send = sender(folderQuarantine(folder), WRONG)
  await send(await delivery(RIGHT))
  expect((await listKept(folder)).filter((other) => !other.startsWith('2001'))).toHaveLength(2)
})

test('what an accepted delivery says of the secret ends when the clock is set back', async () => {
  const folder = await temporaryFolder()
  let time = Date.now()
  const now = () => time
  const send = sender(folderQuarantine(folder, { now }), RIGHT, now)
  expect(await send(await delivery(RIGHT, { at: time }))).toBe(204)
  time -= 86_400_000
  await send(await delivery(WRONG, { at: time }))
  expect(await listKept(folder)).toEqual([expect.stringContaining('-main-')])
})

test('what a clock that was behind rejected is kept when the clock is right again', async () => {
  const folder = await temporaryFolder()
  const today = Date.now()
  let time = today - 30 * 86_400_000
  const now = () => time
  const send = sender(folderQuarantine(folder, { now }), RIGHT, now)
  expect(await send(await delivery(RIGHT, { at: today }))).toBe(401)
  const kept = await listKept(folder)
  expect(kept).toHaveLength(1)
  time = today
  folderQuarantine(folder, { now })
  expect(await listKept(folder)).toEqual(kept)
  time = today + 8 * 86_400_000
  folderQuarantine(folder, { now })
  expect(await listKept(folder)).toEqual([])
})

test('what a clock that was behind rejected stays in the order of arrival', async () => {
  const folder = await temporaryFolder()
  const today = Date.now()
  let time = today - 86_400_000
  const now = () => time
  const send = sender(folderQuarantine(folder, { now }), RIGHT, now)
  const ids: string[] = []
  for (let index = 0; index < 8; index++) {
    // All are signed in the same second.
    const sent = await delivery(RIGHT, { at: today })
    ids.push(sent.id)
    time += 10
    await send(sent)
  }
  const kept = await listKept(folder)
  const found = await Promise.all(
    kept.map(
      async (name) => JSON.parse(String(Buffer.from((await openKept(folder, name)).body))).id,
    ),
  )
  expect(found).toEqual(ids)
})

test('keeps a delivery with an instance_id of any length', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  await send(await delivery(RIGHT, { instance: 'x'.repeat(201) }))
  await send(await delivery(RIGHT, { instance: '"quoted"' }))
  expect(await listKept(folder)).toHaveLength(2)
})

test('leaves out a header that a capture cannot hold, and not the request', async () => {
  const folder = await temporaryFolder()
  const send = sender(folderQuarantine(folder), WRONG)
  const sent = await delivery(RIGHT)
  expect(await send({ ...sent, headers: { ...sent.headers, 'X-City': 'Łódź' } })).toBe(401)
  const [name = ''] = await listKept(folder)
  expect((await openKept(folder, name)).headers).toEqual(Object.entries(sent.headers))
})

// For root there is no such folder.
test.skipIf(process.getuid?.() === 0)('refuses a folder that cannot be written', async () => {
  const folder = await temporaryFolder()
  mkdirSync(folder, { mode: 0o500 })
  expect(() => folderQuarantine(folder)).toThrow('EACCES')
})

test('refuses a folder that others can read, and options that are wrong', async () => {
  const folder = await temporaryFolder()
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  expect(() => folderQuarantine(folder)).toThrow('run chmod 700')
  chmodSync(folder, 0o700)
  expect(() => folderQuarantine('')).toThrow('`folder` should be a path')
  expect(() => Reflect.apply(folderQuarantine, undefined, [folder, { maxBytes: 1 }])).toThrow(
    '`maxBytes` should be a whole number of bytes from 65_536; got 1.',
  )
  expect(() => Reflect.apply(folderQuarantine, undefined, [folder, { size: 1 }])).toThrow(
    'There is no option "size".',
  )
  expect(() => Reflect.apply(folderQuarantine, undefined, [folder, 5])).toThrow(
    '{ maxEntries: 20_000 }',
  )
})

test('a folder that goes away fails the keeping and not the answer', async () => {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  chmodSync(folder, 0o700)
  await import('node:fs/promises').then(({ rm }) => rm(folder, { recursive: true }))
  const one = record()
  await expect(quarantine.keep(one)).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  // Its place is free again.
  mkdirSync(folder, { mode: 0o700 })
  await expect(quarantine.keep(one)).resolves.toBe(true)
})

test('reads any capture, with what a quarantine knows or without', () => {
  expect(() => readKept('{}')).toThrow('it has no "format"')
})
