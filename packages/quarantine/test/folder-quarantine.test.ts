import { chmodSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuarantineRecord } from '@webhook-receiver/core'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { type FolderQuarantineOptions, folderQuarantine } from '../src/index.ts'
import { dropKept, listKept, openKept } from '../src/internal.ts'
import {
  DAY,
  delivery,
  eventually,
  files,
  openAll,
  RIGHT,
  record,
  SERVICE,
  STRANGER,
  sender,
  sendersWritten,
  stopClock,
  temporaryFolder,
  WRONG,
} from './records.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

/** A quarantine in a separate folder, which has accepted a delivery from the service. */
async function quarantined(options: FolderQuarantineOptions = {}) {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder, options)
  quarantine.accepted({ address: SERVICE })
  await sendersWritten(folder, 1)
  const keep = async (facts: Partial<QuarantineRecord> = {}) => quarantine.keep(record(facts))
  /** How many of so many different requests are kept, by what the quarantine reports. */
  const keepMany = async (many: number, facts: Partial<QuarantineRecord> = {}) => {
    let kept = 0
    for (let index = 0; index < many; index++) if (await keep(facts)) kept += 1
    return kept
  }
  /** Whether a request is kept in the pool of what is trusted. */
  const trusts = async (facts: Partial<QuarantineRecord>, by = quarantine) => {
    const { trusted } = await files(folder)
    expect(await by.keep(record(facts))).toBe(true)
    return (await files(folder)).trusted > trusted
  }
  return { folder, quarantine, keep, keepMany, trusts }
}

/** When the one known sender was noted, in whole milliseconds: a file system rounds the seconds that it is given. */
async function lastSeen(folder: string) {
  const [name = ''] = await readdir(join(folder, 'senders'))
  return Math.round((await stat(join(folder, 'senders', name))).mtimeMs)
}

const VALID = { signatureValid: true, reason: 'schema_mismatch', status: 500 } as const
const TOO_OLD = { signatureValid: true, reason: 'timestamp_too_old', status: 401 } as const

describe('a kept request', () => {
  test('is a file that only its owner can read, with the headers of the signature and no others', async () => {
    const folder = await temporaryFolder()
    const sent = await delivery(RIGHT)
    expect(await sender(folderQuarantine(folder), WRONG)(sent, STRANGER)).toBe(401)
    const [name = '', ...others] = await listKept(folder)
    expect(others).toEqual([])
    for (const part of ['.', 'trusted', 'other', 'senders'])
      expect((await stat(join(folder, part))).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    const { 'X-Forwarded-User': user, ...signed } = sent.headers
    const kept = await openKept(folder, name)
    expect(Buffer.from(kept.body).toString()).toBe(sent.body)
    const secrets = [{ fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) }]
    const rejected = { reason: 'signature_mismatch', status: 401, signatureValid: false }
    expect(kept).toMatchObject({
      ...{ method: 'POST', target: '/webhooks' },
      rejected: { ...rejected, address: STRANGER, secrets },
    })
    const lower = Object.entries(signed).map(([header, value]) => [header.toLowerCase(), value])
    expect([...kept.headers].sort()).toEqual(lower.sort())
    const text = await readFile(join(folder, name), 'utf8')
    expect(text).not.toContain(String(user))
    expect(text).not.toContain(WRONG)
  })

  test.each<[Partial<QuarantineRecord>, object]>([
    [{ target: undefined }, { target: '/' }],
    [{ target: 'example.com:443' }, { target: '/' }],
    // An event of a cloud may have decoded a value.
    [
      {
        headers: [
          ['a', 'é'],
          ['b', 'Łódź'],
        ],
      },
      {
        headers: [
          ['a', 'é'],
          ['b', 'Å\u0081Ã³dÅº'],
        ],
      },
    ],
  ])('with %j can be read again as %j', async (facts, found) => {
    const { folder, keep } = await quarantined()
    await keep(facts)
    expect(await openAll(folder)).toMatchObject([found])
  })

  test('is kept once, however often it comes, and by however many quarantines, until it is dropped', async () => {
    const options = { maxEntries: 1 }
    const { folder, quarantine, keep } = await quarantined(options)
    const another = folderQuarantine(folder, options)
    const one = record()
    const copies = [quarantine, another, quarantine, another].map((each) => each.keep(one))
    expect(await Promise.all(copies)).toEqual([true, true, true, true])
    expect(await quarantine.keep({ ...one, at: one.at + 1000, address: SERVICE })).toBe(true)
    expect(await keep()).toBe(false)
    expect(await openAll(folder)).toMatchObject([{ receivedAt: one.at }])
    // Nothing half-written is left.
    const [name, ...others] = await readdir(join(folder, 'other'))
    expect(others).toEqual([])
    expect(quarantine.counts().other).toMatchObject({ entries: 1, declined: 1 })
    const roomy = folderQuarantine(folder)
    expect(await roomy.keep(one)).toBe(true)
    await dropKept(folder, `other/${name}`)
    expect(await roomy.keep(one)).toBe(true)
    expect(await files(folder)).toEqual({ trusted: 0, other: 1 })
    expect(roomy.counts().other.entries).toBe(1)
  })

  test.each([
    ['without a time', undefined],
    ['with one', Date.now()],
  ])(
    'whoever has a signed body %s takes 16 places with it, whatever is varied',
    async (_, signedAt) => {
      const folder = await temporaryFolder()
      const quarantine = folderQuarantine(folder)
      const copy = (id: number, facts: Partial<QuarantineRecord> = {}, by = quarantine) => {
        const headers = [['x-github-delivery', `${id}`]] as const
        const signed = { ...VALID, signedAt, rawBody: Buffer.from('{}') }
        return by.keep(record({ ...signed, headers, target: `/webhooks?${id}`, ...facts }))
      }
      for (let id = 0; id < 300; id++) {
        // Also for a copy that comes twice.
        expect([await copy(id), await copy(id)]).toEqual([id < 16, id < 16])
      }
      expect(quarantine.counts().trusted).toMatchObject({ entries: 16, declined: 568 })
      expect(log.mock.lastCall?.[0]).toContain('because it has 16 with the same signed body')
      // The same after a restart.
      expect(await copy(300, {}, folderQuarantine(folder))).toBe(false)
      for (const other of [
        { rawBody: Buffer.from('{"a":1}') },
        { endpoint: 'another' },
        { signedAt: 1 },
      ])
        expect(await copy(0, other)).toBe(true)
      for (let id = 0; id < 17; id++) expect(await copy(id, { signatureValid: false })).toBe(true)
      expect(await files(folder)).toEqual({ trusted: 19, other: 17 })
    },
  )

  test('makes room for another copy of its body when it is redriven or dropped', async () => {
    const pass = stopClock()
    const { folder, keep } = await quarantined()
    const copy = (id: number) =>
      keep({ ...VALID, rawBody: Buffer.from('{}'), headers: [['x-id', `${id}`]] })
    for (let id = 0; id < 16; id++) expect(await copy(id)).toBe(true)
    expect(await copy(16)).toBe(false)
    await dropKept(folder, (await listKept(folder))[0] ?? '')
    await eventually(async () => {
      pass(5001)
      expect(await copy(16)).toBe(true)
    })
    expect(await copy(17)).toBe(false)
  })

  test.each<[string, Partial<QuarantineRecord>]>([
    ['endpoint', { endpoint: 'other' }],
    ['method', { method: 'PUT' }],
    ['target', { target: '/webhooks?a' }],
    ['name of a header', { headers: [['signatures', 'a']] }],
    ['header', { headers: [['signature', 'b']] }],
    ['body', { rawBody: Buffer.from('{} ') }],
    ['beginning and end of its parts', { method: 'POST/', target: 'webhooks' }],
  ])('with another %s is another one', async (_, change) => {
    const { folder, quarantine } = await quarantined()
    const one = record({ headers: [['signature', 'a']], rawBody: Buffer.from('{}') })
    for (const each of [one, { ...one, ...change }, one]) await quarantine.keep(each)
    expect(await files(folder)).toEqual({ trusted: 0, other: 2 })
  })
})

describe('the trusted pool', () => {
  const now = Date.now()

  test.each<[string, Partial<QuarantineRecord>, boolean]>([
    ['a valid signature', { ...VALID, address: STRANGER }, true],
    ['a valid signature that is too old', { ...TOO_OLD, address: STRANGER }, false],
    ['the same from the service', { ...TOO_OLD, address: SERVICE }, false],
    ['an invalid signature from the service', { address: SERVICE }, true],
    ['the same by a clock that was set back', { address: SERVICE, at: now - 29 * DAY }, true],
    ['an invalid signature from elsewhere', { address: STRANGER }, false],
  ])('of what has %s', async (_, facts, isTrusted) => {
    const { trusts } = await quarantined({ now: () => now })
    expect(await trusts({ at: now, ...facts })).toBe(isTrusted)
  })

  test('knows the senders after a restart, and those of other processes, for 30 days', async () => {
    const pass = stopClock()
    let time = now
    const options = { now: () => time, retention: 100 * 86_400 }
    const { folder, trusts } = await quarantined(options)
    const [restarted, running, accepting] = Array.from({ length: 3 }, () =>
      folderQuarantine(folder, options),
    )
    const trustsService = (by = folderQuarantine(folder, options)) =>
      trusts({ address: SERVICE, at: time }, by)
    expect(await trustsService()).toBe(true)
    time += 29 * DAY
    expect(await trustsService(restarted)).toBe(true)
    time += 2 * DAY
    expect(await trustsService(restarted)).toBe(false)
    expect(await trustsService()).toBe(false)
    // What has expired is gone.
    expect(await readdir(join(folder, 'senders'))).toEqual([])
    // Another process accepts deliveries.
    for (const days of [0, 20, 20]) {
      time += days * DAY
      accepting?.accepted({ address: SERVICE })
      await eventually(async () => expect(await lastSeen(folder)).toBe(time))
      await eventually(async () => {
        pass(5001)
        expect(await trustsService(running)).toBe(true)
      })
    }
  })

  test('is not misled by a clock that was ahead', async () => {
    let time = now + 60 * DAY
    const { folder, quarantine, keep, trusts } = await quarantined({ now: () => time })
    await keep()
    await eventually(async () => expect(await lastSeen(folder)).toBe(time))
    time = now
    expect(await trusts({ address: SERVICE, at: now })).toBe(false)
    quarantine.accepted({ address: SERVICE })
    expect(await trusts({ address: SERVICE, at: now })).toBe(true)
    expect(await trusts({ address: SERVICE, at: now + 31 * DAY })).toBe(false)
  })

  test.each([
    ['2001:db8:1:2::3', '2001:DB8:1:2:aaaa:bbbb:cccc:dddd', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['2001:db8::2:3:4:5:6', '2001:db8::6', false],
    ['2001:db8:1:2::3', '2001:db8:1:3::3', false],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.8', false],
  ])(
    'after a delivery from %s, what is from %s is trusted: %s',
    async (accepted, next, isTrusted) => {
      const { folder, quarantine, trusts } = await quarantined()
      quarantine.accepted({ address: accepted })
      await sendersWritten(folder, 2)
      // Also after a restart, where nobody was noted yet.
      for (const each of [quarantine, folderQuarantine(folder)])
        expect(await trusts({ address: next }, each)).toBe(isTrusted)
    },
  )

  test('notes a sender once a day', async () => {
    let time = now
    const { folder, quarantine, keep } = await quarantined({ now: () => time })
    await eventually(async () => expect(await lastSeen(folder)).toBe(now))
    time += DAY - 1
    quarantine.accepted({ address: SERVICE })
    expect(await keep({ address: SERVICE, at: time })).toBe(true)
    expect(await lastSeen(folder)).toBe(now)
  })

  test('learns at most 10,000 addresses, and forgets none of them for others', async () => {
    const pass = stopClock()
    let time = now
    const { folder, quarantine, keep, trusts } = await quarantined({ now: () => time })
    const addressOf = (index: number) => `2001:db8:0:${index.toString(16)}::1`
    const trustsFrom = (address: string) => trusts({ address, at: time })
    for (let index = 1; index <= 10_000; index++) quarantine.accepted({ address: addressOf(index) })
    expect(await trustsFrom(SERVICE)).toBe(true)
    expect(await trustsFrom(addressOf(1))).toBe(true)
    expect(await trustsFrom(addressOf(10_000))).toBe(false)
    await sendersWritten(folder, 10_000)
    // Those that still send are known for longer, and those that do not make room.
    time += 20 * DAY
    quarantine.accepted({ address: SERVICE })
    time += 20 * DAY
    expect(await trustsFrom(SERVICE)).toBe(true)
    expect(await trustsFrom(addressOf(1))).toBe(false)
    await eventually(async () => {
      pass(5001)
      await keep()
      quarantine.accepted({ address: addressOf(10_000) })
      expect(await trustsFrom(addressOf(10_000))).toBe(true)
    })
  })
})

describe('bounds', () => {
  test('what is reported as kept is there, and what is not is not', async () => {
    const { folder, quarantine } = await quarantined({ maxEntries: 50, maxBytes: 131_072 })
    const reported: string[] = []
    const asked = Array.from({ length: 300 }, async (_, index) => {
      const body = `${index} ${'x'.repeat((index % 4) * 4096)}`
      const address = index % 2 ? SERVICE : STRANGER
      if (await quarantine.keep(record({ rawBody: Buffer.from(body), address })))
        reported.push(body)
    })
    await Promise.all(asked)
    const bodies = (await openAll(folder)).map(({ body }) => Buffer.from(body).toString())
    expect(bodies.sort()).toEqual(reported.sort())
    expect(reported.length).toBeGreaterThan(10)
    const pools = Object.values(quarantine.counts())
    const asks = pools.map(({ entries, declined }) => entries + declined)
    expect(asks).toEqual([150, 150])
    for (const { bytes } of pools) expect(bytes).toBeLessThanOrEqual(131_072)
  })

  test('a copy of a request that cannot be written is not kept either', async () => {
    stopClock()
    const { folder, quarantine, keep } = await quarantined()
    await keep()
    await rm(join(folder, 'other'), { recursive: true })
    const one = record()
    const copies = await Promise.allSettled([quarantine.keep(one), quarantine.keep(one)])
    expect(copies.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test.each<[FolderQuarantineOptions, number]>([
    [{ maxEntries: 3 }, 3],
    [{ maxBytes: 69_631 }, 16],
    [{ maxBytes: 69_632 }, 17],
    [{ rate: 0.7 }, 7],
  ])('with %j each pool takes %i small requests', async (options, most) => {
    stopClock()
    const { keepMany, folder, quarantine } = await quarantined(options)
    expect(await keepMany(25)).toBe(most)
    expect(await keepMany(25, { address: SERVICE })).toBe(most)
    expect(await files(folder)).toEqual({ trusted: most, other: most })
    expect(quarantine.counts()).toEqual({
      trusted: { entries: most, bytes: most * 4096, declined: 25 - most },
      other: { entries: most, bytes: most * 4096, declined: 25 - most },
    })
  })

  test('count what a file takes and not only its body', async () => {
    const { keep, keepMany, quarantine } = await quarantined({ maxBytes: 65_536 })
    // Six characters of JSON for each of these bytes.
    expect(await keep({ rawBody: Buffer.alloc(12_000) })).toBe(false)
    expect(await keep({ rawBody: Buffer.alloc(6000) })).toBe(true)
    expect(quarantine.counts().other.bytes).toBe(36_864)
    expect(await keepMany(20)).toBe((65_536 - 36_864) / 4096)
  })

  test('a body that is larger than the room costs no file and no text', async () => {
    const { keep } = await quarantined({ maxBytes: 65_536 })
    const stringify = vi.spyOn(JSON, 'stringify')
    expect(await keep({ rawBody: Buffer.alloc(65_537, 'x') })).toBe(false)
    expect(stringify).not.toHaveBeenCalled()
  })

  test('the rate is an average over 10 seconds', async () => {
    const pass = stopClock()
    const { keepMany } = await quarantined({ rate: 1 })
    expect(await keepMany(20)).toBe(10)
    pass(9999)
    expect(await keepMany(20)).toBe(0)
    pass(1)
    expect(await keepMany(20)).toBe(10)
  })

  test('count what is written while the folder is read', async () => {
    const pass = stopClock()
    const { folder, keep, quarantine } = await quarantined()
    await keep()
    pass(5001)
    await Promise.all(Array.from({ length: 300 }, () => keep()))
    expect(await files(folder)).toEqual({ trusted: 0, other: 301 })
    expect(quarantine.counts().other.entries).toBe(301)
  })

  test('one line a minute says how many requests were declined', async () => {
    const pass = stopClock()
    const { folder, keepMany } = await quarantined({ maxEntries: 2 })
    await keepMany(2)
    expect(log).not.toHaveBeenCalled()
    await keepMany(5)
    pass(59_999)
    await keepMany(5)
    expect(log.mock.calls).toEqual([
      [
        `[webhook-receiver] The quarantine did not keep 1 of the rejected requests, because it is full: ${join(folder, 'other')}`,
      ],
    ])
    pass(1)
    await keepMany(5)
    expect(log).toHaveBeenCalledTimes(2)
    expect(log.mock.lastCall?.[0]).toContain('did not keep 10 of the rejected requests')
  })

  test('nothing is removed for another one, but what expires or is dropped', async () => {
    const pass = stopClock()
    let time = Date.now()
    const options = { maxEntries: 2, retention: 100, now: () => time }
    const { folder, keep } = await quarantined(options)
    await keep({ at: time })
    await keep({ at: time + 50_000 })
    const [first = '', second = ''] = await listKept(folder)
    for (const address of [STRANGER, undefined]) expect(await keep({ address })).toBe(false)
    time += 99_999
    expect(await folderQuarantine(folder, options).keep(record())).toBe(false)
    expect(await listKept(folder)).toEqual([first, second])
    const keepsAnother = () =>
      eventually(async () => {
        pass(5001)
        expect(await keep({ at: time })).toBe(true)
      })
    time += 2
    await keepsAnother()
    expect(await listKept(folder)).toEqual([second, expect.any(String)])
    expect(await keep({ at: time })).toBe(false)
    await dropKept(folder, second)
    await keepsAnother()
  })

  test('what a clock in the past rejected does not expire when the clock is right', async () => {
    const today = Date.now()
    let time = today - 30 * DAY
    const { folder, keep } = await quarantined({ now: () => time })
    await keep({ ...VALID, at: time, reason: 'timestamp_in_future', signedAt: today })
    const left = async () => {
      await folderQuarantine(folder, { now: () => time }).keep(record({ at: time }))
      return (await files(folder)).trusted
    }
    time = today
    expect(await left()).toBe(1)
    time = today + 8 * DAY
    expect(await left()).toBe(0)
  })
})

describe('the folder', () => {
  test('loses what a killed process left half-written, when that expires', async () => {
    const { folder } = await quarantined()
    const draft = join(folder, 'trusted', `${'a'.repeat(64)}.json.0a1b2c3d.part`)
    await writeFile(draft, 'half')
    const next = folderQuarantine(folder)
    await next.keep(record())
    expect(next.counts().trusted.entries).toBe(0)
    await utimes(draft, 0, 0)
    await folderQuarantine(folder).keep(record())
    expect(await readdir(join(folder, 'trusted'))).toEqual([])
  })

  test('may have a file that cannot be removed', async () => {
    const { folder } = await quarantined()
    // Somebody unpacked a backup here.
    const strange = join(folder, 'other', `${'a'.repeat(64)}.json`)
    await mkdir(strange)
    await utimes(strange, 0, 0)
    expect(await folderQuarantine(folder).keep(record())).toBe(true)
    expect(await readdir(join(folder, 'other'))).toHaveLength(2)
  })

  test('may go away and come back: a request fails to be kept, and its place is free', async () => {
    const pass = stopClock()
    const { folder, keep, quarantine } = await quarantined()
    await keep()
    await rm(folder, { recursive: true })
    await expect(keep()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(quarantine.counts().other.entries).toBe(1)
    pass(5001)
    await eventually(async () => expect(await keep()).toBe(true))
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  // For root there is no such folder.
  test.skipIf(process.getuid?.() === 0)('is an error if it cannot be written', async () => {
    const folder = await temporaryFolder()
    mkdirSync(folder, { mode: 0o500 })
    expect(() => folderQuarantine(folder)).toThrow('EACCES')
  })

  test.skipIf(process.platform !== 'linux')('is an error where no folder can be created', () => {
    expect(() => folderQuarantine('/proc/none/quarantine')).toThrow('ENOENT')
  })

  test('is an error if others can read it', async () => {
    const folder = await temporaryFolder()
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    expect(() => folderQuarantine(folder)).toThrow('run chmod 700')
  })

  test.each([
    ['', {}, '`folder` should be a path'],
    ['a', { maxBytes: 1 }, '`maxBytes` should be a whole number of bytes from 65_536; got 1.'],
    ['a', { maxEntries: 0 }, '`maxEntries` should be'],
    ['a', { rate: 0 }, '`rate` should be'],
    ['a', { retention: 0 }, '`retention` should be'],
    ['a', { reserve: 1 }, 'There is no option "reserve".'],
  ])('is not created for the path %j and the options %j', (...[folder, options, message]) => {
    expect(() => folderQuarantine(folder, Object(options))).toThrow(message)
  })

  test('is read every hour, without a request', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let time = Date.now()
    const { folder, keep } = await quarantined({ retention: 100, now: () => time })
    await keep()
    time += 200_000
    vi.advanceTimersByTime(3_600_000)
    await eventually(async () => expect(await listKept(folder)).toEqual([]))
  })
})

test('a flood without an address does not make known senders wait for a slow disk', async () => {
  const { folder, keep } = await quarantined()
  const flood = Array.from({ length: 600 }, () => keep())
  const one = keep({ address: SERVICE })
  const first = await Promise.race([one.then(() => 'one'), Promise.all(flood).then(() => 'flood')])
  expect(first).toBe('one')
  await Promise.all(flood)
  expect(await files(folder)).toEqual({ trusted: 1, other: 600 })
})
