import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuarantineRecord } from '@webhook-receiver/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type FolderQuarantineOptions, folderQuarantine, listKept, openKept } from '../src/index.ts'
import { seeded } from './random.ts'
import { record, stopClock, temporaryFolder } from './records.ts'

const TIME = 1_769_860_800_000

/** A quarantine in a folder of its own. */
async function quarantined(options: FolderQuarantineOptions = {}) {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder, options)
  return {
    folder,
    quarantine,
    keep: async (one: QuarantineRecord) => quarantine.keep(one),
    accept: (key: object, instanceId = 'accepted', address?: string) =>
      quarantine.accepted({ key, instanceId, remote: () => ({ address }) }),
    /** Pool and rank of what is kept, such as `main 2`. */
    kept: async () => (await listKept(folder)).map((name) => name.split('-').slice(5, 7).join(' ')),
  }
}

/** How many of so many are kept, by what the quarantine answers. */
async function keepMany(
  keep: (one: QuarantineRecord) => Promise<boolean>,
  many: number,
  like: Parameters<typeof record>[0] = {},
): Promise<number> {
  let kept = 0
  for (let index = 0; index < many; index++) if (await keep(record(like))) kept += 1
  return kept
}

test.each([
  [{ maxEntries: 10, reserve: 0 }, 10, 0],
  [{ maxEntries: 10, reserve: 3 }, 7, 3],
  [{ maxEntries: 5, reserve: 10 }, 3, 2],
  [{ maxEntries: 1 }, 1, 0],
  [{ maxBytes: 65_536, reserve: 0 }, 16, 0],
  [{ maxBytes: 86_015, reserve: 50 }, 18, 2],
  [{ maxBytes: 65_536, maxEntries: 15, reserve: 0 }, 15, 0],
])('with %j it keeps %i, and %i while deliveries are accepted', async (options, main, reserve) => {
  const { accept, keep, kept } = await quarantined({ ...options, now: () => TIME })
  const key = {}
  const like = { keys: [key], at: TIME }
  expect(await keepMany(keep, 25, like)).toBe(main)
  accept(key)
  expect(await keepMany(keep, 25, like)).toBe(reserve)
  const found = await kept()
  expect(found.filter((one) => one === 'main 0')).toHaveLength(main)
  expect(found.filter((one) => one === 'reserve 0')).toHaveLength(reserve)
})

test('one with the largest body that fits is kept, and one that is larger goes for nothing', async () => {
  const { folder, keep } = await quarantined({ maxBytes: 65_536, reserve: 0 })
  expect(await keep(record({ blocks: 17 }))).toBe(false)
  expect(await keep(record({ blocks: 16 }))).toBe(true)
  expect(await listKept(folder)).toHaveLength(1)
})

test('a large one that needs more room than may go takes the place of none', async () => {
  const { folder, keep } = await quarantined({ maxBytes: 65_536, reserve: 0 })
  for (const address of ['192.0.2.1', '192.0.2.2'])
    expect(await keepMany(keep, 8, { address })).toBe(8)
  const before = await listKept(folder)
  expect(await keep(record({ address: '192.0.2.3', blocks: 7 }))).toBe(false)
  expect(await listKept(folder)).toEqual(before)
  expect(await keep(record({ address: '192.0.2.3', blocks: 2 }))).toBe(true)
  expect(await listKept(folder)).toHaveLength(15)
})

const [ONE, OTHER] = [{}, {}]

test.each([
  [{ keys: [ONE], at: 0 }, 'reserve 0'],
  [{ keys: [ONE], at: 59_999 }, 'reserve 0'],
  [{ keys: [ONE], at: 60_000 }, 'main 0'],
  [{ keys: [ONE], at: -59_999 }, 'reserve 0'],
  [{ keys: [ONE], at: -60_000 }, 'main 0'],
  [{ keys: [OTHER, ONE], at: 0 }, 'reserve 0'],
  [{ keys: [OTHER], at: 0 }, 'main 0'],
  [{ keys: [], at: 0 }, 'main 0'],
  [{ keys: [ONE], at: 0, authentic: true }, 'main 3'],
  [{ keys: [ONE], at: 0, instance: 'accepted' }, 'reserve 1'],
  [{ keys: [ONE], at: 0, instance: 'accepted', address: '192.0.2.1' }, 'reserve 2'],
])('after a delivery was accepted under one secret, %j goes to %s', async (facts, place) => {
  const { accept, keep, kept } = await quarantined({ now: () => TIME })
  accept(ONE, 'accepted', '192.0.2.1')
  expect(await keep(record({ ...facts, at: TIME + facts.at }))).toBe(true)
  expect(await kept()).toEqual([place])
})

test('the option quiet is in seconds', async () => {
  const { accept, keep, kept } = await quarantined({ now: () => TIME, quiet: 2 })
  accept(ONE)
  for (const after of [1999, 2000]) await keep(record({ keys: [ONE], at: TIME + after }))
  expect(await kept()).toEqual(['reserve 0', 'main 0'])
})

test.each([undefined, 'unknown'])('the address %s is no sign of a sender', async (address) => {
  const { accept, keep, kept } = await quarantined({ now: () => TIME })
  accept({}, 'accepted', address)
  for (const one of [undefined, 'unknown']) {
    await keep(record({ at: TIME, address: one }))
    await keep(record({ at: TIME, address: one, instance: 'accepted', url: '/other' }))
  }
  expect((await kept()).sort()).toEqual(['main 0', 'main 0', 'main 1', 'main 1'])
})

test('asks for the address of an accepted delivery every 100 ms', async () => {
  let time = TIME
  const { quarantine } = await quarantined({ now: () => time })
  const asked: number[] = []
  const instanceId = 'a'
  // The last two: a clock that was set back.
  for (const after of [0, 0, 1, 99, 100, 199, 200, 150, 249, 250]) {
    time = TIME + after
    const remote = () => {
      asked.push(after)
      return { address: '192.0.2.1' }
    }
    quarantine.accepted({ key: {}, instanceId, remote })
  }
  expect(asked).toEqual([0, 100, 200, 150, 250])
})

const outside = Buffer.from('{"instance_id":"a"} {} {"instance_id":"a"}')

const BODIES: readonly (readonly [body: string | Buffer, isKept: boolean])[] = [
  ['{"instance_id":"a"}', true],
  [`{"instance_id"${' '.repeat(9)}:${'\t'.repeat(9)}"a"}`, true],
  ['{"instance_id"\r\n:\r\n"a"}\n', true],
  ['{"instance_id"x:"a"}', false],
  ['{"instance_id":x"a"}', false],
  ['{"instance_id":""}', false],
  ['{"instance_id":1}', false],
  ['{"instance":"a"}', false],
  ['', false],
  [outside.subarray(20, 22), false],
  ['{"instance_id":"a\u007f"}', true],
  ...['\0', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f'].map(
    (control) => [`{"instance_id":"a${control}"}`, false] as const,
  ),
]

test.each(BODIES)('without a valid signature, whether %j is kept: %s', async (body, isKept) => {
  const { folder, keep } = await quarantined()
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.from(body)
  expect(await keep(record({ rawBody }))).toBe(isKept)
  expect(await listKept(folder)).toHaveLength(isKept ? 1 : 0)
  // What is authentic is kept in any case.
  expect(await keep(record({ rawBody, authentic: true }))).toBe(true)
})

test('says of a copy that it is kept', async () => {
  const { folder, keep } = await quarantined()
  const one = record({ address: '192.0.2.1' })
  expect(await Promise.all([keep(one), keep(one)])).toEqual([true, true])
  expect(await keep(one)).toBe(true)
  expect(await listKept(folder)).toHaveLength(1)
})

test('each rank of each pool has a rate of its own', async () => {
  const pass = stopClock()
  const { accept, keep } = await quarantined({ rate: 0.1, now: () => TIME })
  accept(ONE, 'known')
  const groups = [
    { at: TIME },
    { at: TIME, instance: 'known' },
    { at: TIME, authentic: true },
    { at: TIME, keys: [ONE] },
  ]
  for (const like of groups) expect(await keepMany(keep, 3, like)).toBe(1)
  pass(10_000)
  for (const like of groups) expect(await keepMany(keep, 3, like)).toBe(1)
})

test('what is declined because there is no room does not count for the rate', async () => {
  stopClock()
  const { keep } = await quarantined({ maxEntries: 2, reserve: 0, rate: 0.6 })
  expect(await keepMany(keep, 2, { address: '192.0.2.1' })).toBe(2)
  for (let index = 0; index < 20; index++)
    expect(await keep(record({ address: `198.51.100.${index}`, blocks: 2 }))).toBe(false)
  expect(await keep(record({ address: '192.0.2.2' }))).toBe(true)
})

test.each([
  [[-3_600_000], [0]],
  [[0], [0]],
  [[3_600_000], [3_600_000]],
  // Signed in the same millisecond, and up to a minute earlier: the order of arrival.
  [
    [3_600_000, 3_600_000, 3_599_000],
    [3_600_000, 3_600_001, 3_600_002],
  ],
  [
    [3_600_000, 3_540_002, 3_540_002],
    [3_600_000, 3_600_001, 3_540_002],
  ],
  [
    [86_400_000, 3_600_000, 7_200_000],
    [86_400_000, 3_600_000, 7_200_000],
  ],
])(
  'what arrives now and was signed %j ms later is named by the times %j',
  async (signed, times) => {
    const { folder, keep } = await quarantined({ now: () => TIME })
    const found: number[] = []
    for (const after of signed) {
      const before = new Set(await listKept(folder))
      const value = new Date(TIME + after).toISOString()
      const headers = [['X-Webhook-Timestamp', value]] as const
      await keep(record({ at: TIME, authentic: true, headers }))
      const [name = ''] = (await listKept(folder)).filter((one) => !before.has(one))
      const time = name.slice(0, 24).replace(/-(\d\d)-(\d\d\.)/, ':$1:$2')
      found.push(Date.parse(time) - TIME)
    }
    expect(found).toEqual(times)
  },
)

test.each([
  [undefined, '/'],
  ['example.com:443', '/'],
  ['/a?b', '/a?b'],
])('the target of a request to %s is %s', async (url, target) => {
  const { folder, keep } = await quarantined()
  const headers = [
    [':path', '/'],
    ['X-A', 'b'],
  ] as const
  await keep({ ...record({ at: TIME, headers }), remote: { url } })
  const [name = ''] = await listKept(folder)
  expect(await openKept(folder, name)).toMatchObject({
    receivedAt: TIME,
    method: 'POST',
    target,
    httpVersion: '1.1',
    headers: [['X-A', 'b']],
  })
})

test('notices within a second that a file was removed, and keeps the same request again', async () => {
  const pass = stopClock()
  const { folder, keep } = await quarantined({ maxEntries: 1 })
  const one = record()
  expect(await keep(one)).toBe(true)
  for (const name of await listKept(folder)) await rm(join(folder, name))
  pass(1001)
  expect(await keep(one)).toBe(true)
  expect(await listKept(folder)).toHaveLength(1)
  // A sender never pushes out what it sent itself.
  expect(await keep(record())).toBe(false)
  expect(await listKept(folder)).toHaveLength(1)
})

test('what should go for a better one may be gone already', async () => {
  stopClock()
  const { accept, folder, keep, kept } = await quarantined({ maxEntries: 1 })
  accept({}, 'known')
  expect(await keep(record())).toBe(true)
  for (const name of await listKept(folder)) await rm(join(folder, name))
  expect(await keep(record({ instance: 'known' }))).toBe(true)
  expect(await kept()).toEqual(['main 1'])
})

test('a file that is moved away and back is no reason to keep a second one', async () => {
  const pass = stopClock()
  const { folder, keep } = await quarantined()
  const one = record()
  await keep(one)
  const [name = ''] = await listKept(folder)
  await rename(join(folder, name), join(folder, '../away'))
  pass(1001)
  await keep(record())
  await rename(join(folder, '../away'), join(folder, name))
  pass(1001)
  expect(await keep({ ...one, at: one.at + 1 })).toBe(true)
  expect(await listKept(folder)).toHaveLength(2)
  // Nor is a look at a file that stays.
  pass(1001)
  expect(await keep(one)).toBe(true)
  expect(await listKept(folder)).toHaveLength(2)
})

test.each([-1000, 1000])(
  'of two copies the older stays, if another process has kept one %i ms later',
  async (later) => {
    const pass = stopClock()
    const { folder, keep } = await quarantined({ maxEntries: 3, now: () => TIME, reserve: 0 })
    const one = record({ at: TIME })
    await keep(one)
    const [own = ''] = await listKept(folder)
    const time = (at: number) => new Date(at).toISOString().replaceAll(':', '-')
    const theirs = own.replace(time(TIME), time(TIME + later))
    const older = later < 0 ? theirs : own
    await copyFile(join(folder, own), join(folder, theirs))
    pass(1001)
    expect(await keep(one)).toBe(true)
    expect(await listKept(folder)).toEqual([older])
    // Only one of the three places is taken.
    expect(await keepMany(keep, 3, { at: TIME })).toBe(2)
    // The same at the start, in whichever order they are found.
    await copyFile(join(folder, older), join(folder, older === own ? theirs : own))
    folderQuarantine(folder, { now: () => TIME })
    const left = await listKept(folder)
    expect([left.length, left.includes(older)]).toEqual([3, true])
  },
)

test.each(['while it runs', 'at the start'])('removes what is too old %s', async (when) => {
  const pass = stopClock()
  let time = TIME
  const options = { retention: 100, maxEntries: 1, now: () => time }
  const { folder, keep } = await quarantined(options)
  /** At the time of the look comes the same request, or another one. */
  const look = async (one: QuarantineRecord) => {
    pass(1001)
    if (when === 'at the start') folderQuarantine(folder, options)
    else expect(await keep(one)).toBe(true)
  }
  const one = record({ at: TIME })
  await keep(one)
  const [name] = await listKept(folder)
  time = TIME + 100_000
  await look(one)
  expect(await listKept(folder)).toEqual([name])
  time += 1
  await look(record({ at: time }))
  expect(await listKept(folder)).not.toContain(name)
})

test('a folder above smaller bounds loses the lowest ranks first', async () => {
  const { accept, folder, keep, kept, quarantine } = await quarantined()
  accept({}, 'known', '192.0.2.1')
  const low = record({ at: TIME })
  for (const one of [low, record({ instance: 'known' }), record({ authentic: true })])
    expect(await keep(one)).toBe(true)
  for (const name of ['other.json', '.hidden', `${'0'.repeat(200)}.json`])
    await copyFile(join(folder, (await listKept(folder))[0] ?? ''), join(folder, name))
  await quarantine.close()
  const smaller = folderQuarantine(folder, { maxEntries: 2, reserve: 0 })
  // What no quarantine wrote stays, and does not count.
  expect((await kept()).filter(Boolean).sort()).toEqual(['main 1', 'main 3'])
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['other.json', '.hidden']))
  expect(await smaller.keep(low)).toBe(false)
})

test('a quarantine that is closed looks at the folder no more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { quarantine } = await quarantined()
  expect(vi.getTimerCount()).toBe(1)
  await quarantine.close()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([1, 2])('stays within its bounds, whatever happens (seed %i)', async (seed) => {
  const random = seeded(seed)
  const pass = stopClock()
  let time = TIME
  const options = { maxBytes: 122_880, maxEntries: 20, reserve: 5, retention: 50, now: () => time }
  const { folder, accept, ...first } = await quarantined(options)
  let keep = first.keep
  const recent: QuarantineRecord[] = []
  for (let step = 0; step < 250; step++) {
    const action = random(12)
    if (action === 0) {
      time += random(10_000)
      pass(random(2000))
    } else if (action === 1) {
      accept(ONE, `instance-${random(3)}`, `192.0.2.${random(4)}`)
    } else if (action === 2) {
      const names = await listKept(folder)
      await rm(join(folder, names[random(names.length)] ?? 'none'), { force: true })
    } else if (action === 3) {
      const restarted = folderQuarantine(folder, options)
      keep = async (one) => restarted.keep(one)
    } else {
      const again = random(4) === 0 ? recent[random(recent.length)] : undefined
      const one =
        again ??
        record({
          at: time,
          authentic: random(10) === 0,
          keys: random(3) === 0 ? [ONE] : [],
          instance: `instance-${random(6)}`,
          address: `192.0.2.${random(8)}`,
          blocks: 1 + random(5),
        })
      recent.push(one)
      const isKept = await keep(one)
      const names = await listKept(folder)
      const bodies = await Promise.all(
        names.map(async (name) => Buffer.from((await openKept(folder, name)).body)),
      )
      // What somebody has just removed is still believed to be there.
      if (isKept && again === undefined)
        expect(bodies.some((body) => body.equals(one.rawBody))).toBe(true)
      if (!isKept) expect(again || !bodies.some((body) => body.equals(one.rawBody))).toBeTruthy()
      const of = (pool: string) => names.filter((name) => name.includes(`-${pool}-`))
      const blocks = (pool: string) =>
        of(pool).reduce(
          (sum, name) => sum + Math.ceil(Number(/(\d+)\.json$/.exec(name)?.[1]) / 4096),
          0,
        )
      expect(of('main').length).toBeLessThanOrEqual(15)
      expect(blocks('main')).toBeLessThanOrEqual(27)
      expect(of('reserve').length).toBeLessThanOrEqual(5)
      expect(blocks('reserve')).toBeLessThanOrEqual(3)
    }
  }
  expect(recent.length).toBeGreaterThan(100)
})
