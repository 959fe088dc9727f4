import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { type FolderQuarantineOptions, folderQuarantine, listKept } from '../src/index.ts'
import { record, stopClock, temporaryFolder } from './records.ts'

/** A disk that finishes no file before `open` is called, fails when told so, and counts what it is asked. */
const disk = vi.hoisted(() => ({
  closed: Promise.resolve(),
  open: () => {},
  begun: [] as string[],
  /** How many files there were after each new one. */
  counts: [] as number[],
  failures: [] as unknown[],
  lists: 0,
  /** Names of files that vanish right after the folder was read. */
  vanishing: [] as string[],
}))

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>()
  return {
    ...actual,
    rename: async (from: string, to: string) => {
      disk.begun.push(basename(to))
      await disk.closed
      const failure = disk.failures.shift()
      if (failure) throw failure
      await actual.rename(from, to)
      const names = readdirSync(dirname(to)).filter((name) => /^[^.].*\.json$/.test(name))
      disk.counts.push(names.length)
    },
    readdir: async (folder: string) => {
      disk.lists += 1
      return [...(await actual.readdir(folder)), ...disk.vanishing]
    },
  }
})

let pass: (milliseconds: number) => void

beforeEach(() => {
  pass = stopClock()
  Object.assign(disk, { begun: [], counts: [], failures: [], lists: 0, vanishing: [] })
  disk.closed = new Promise((resolve) => {
    disk.open = resolve
  })
})

async function quarantined(options: FolderQuarantineOptions = {}) {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder, { reserve: 0, ...options })
  const remote = () => ({ address: '192.0.2.1' })
  quarantine.accepted({ key: {}, instanceId: 'known', remote })
  const like = [
    {},
    { instance: 'known' },
    { instance: 'known', address: '192.0.2.1' },
    { authentic: true },
  ] as const
  return {
    folder,
    keep: async (one = record()) => quarantine.keep(one),
    /** A record of a rank. */
    of: (rank: 0 | 1 | 2 | 3) => record(like[rank]),
  }
}

const begun = (count: number) => vi.waitFor(() => expect(disk.begun).toHaveLength(count))

test('256 of rank 0 and 256 of rank 1 wait for it, and all of a higher rank', async () => {
  const { folder, keep, of } = await quarantined()
  const answers: Promise<boolean>[] = []
  for (const rank of [0, 1] as const) {
    for (let index = 0; index < 256; index++) answers.push(keep(of(rank)))
    expect(await keep(of(rank))).toBe(false)
  }
  for (const rank of [2, 3] as const)
    for (let index = 0; index < 260; index++) answers.push(keep(of(rank)))
  // As many as 16 files are written at the same time.
  await begun(16)
  disk.open()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]))
  expect(await keep(of(0))).toBe(true)
  expect(await listKept(folder)).toHaveLength(2 * 256 + 2 * 260 + 1)
})

test('one that is pushed out while it is written is gone before the better one is there', async () => {
  const { folder, keep, of } = await quarantined({ maxEntries: 1 })
  const [low, high] = [of(0), of(2)]
  const first = keep(low)
  await begun(1)
  const second = keep(high)
  // Time in which it could be written, if it did not wait.
  for (let turn = 0; turn < 50; turn++) await readdir(folder)
  expect(disk.begun).toHaveLength(1)
  disk.open()
  expect(await Promise.all([first, second])).toEqual([true, true])
  expect(disk.counts).toEqual([1, 1])
  expect(await listKept(folder)).toEqual([expect.stringContaining('-main-2-')])
  expect(await keep(low)).toBe(false)
})

test('one that is pushed out before its turn is never written', async () => {
  const { folder, keep, of } = await quarantined({ maxEntries: 17 })
  const answers = Array.from({ length: 17 }, () => keep(of(0)))
  await begun(16)
  answers.push(keep(of(2)))
  disk.open()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]))
  expect(disk.begun).toHaveLength(17)
  expect(Math.max(...disk.counts)).toBe(17)
  expect(await listKept(folder)).toHaveLength(17)
})

test('one that cannot be written is an error, and its place and its draft are free', async () => {
  const { folder, keep, of } = await quarantined({ maxEntries: 1 })
  const full = { code: 'ENOSPC' }
  disk.failures.push(full)
  disk.open()
  const one = of(0)
  await expect(keep(one)).rejects.toBe(full)
  expect(await readdir(folder)).toEqual([])
  expect(await keep(one)).toBe(true)
  expect(await listKept(folder)).toHaveLength(1)
})

test('one that cannot be written and was pushed out takes nothing from the better one', async () => {
  const { folder, keep, of } = await quarantined({ maxEntries: 1 })
  const full = { code: 'ENOSPC' }
  disk.failures.push(full)
  const first = keep(of(0))
  await begun(1)
  const high = of(2)
  const second = keep(high)
  disk.open()
  await expect(first).rejects.toBe(full)
  expect(await second).toBe(true)
  expect(await keep(high)).toBe(true)
  expect(await keep(of(2))).toBe(false)
  expect(await listKept(folder)).toHaveLength(1)
})

test('what is still being written when the folder is read stays known', async () => {
  const { folder, keep } = await quarantined()
  const one = record()
  const answers = [keep(one)]
  for (let look = 0; look < 3; look++) {
    await begun(1 + look)
    pass(1001)
    answers.push(keep())
    answers.push(keep(one))
  }
  disk.open()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]))
  expect(await listKept(folder)).toHaveLength(4)
})

test('one that has no room any more once it is written goes at once', async () => {
  const { folder, keep, of } = await quarantined({ maxEntries: 1 })
  const other = folderQuarantine(folder)
  const { closed, open } = disk
  disk.closed = Promise.resolve()
  expect(await other.keep(of(3))).toBe(true)
  disk.closed = closed
  const answer = keep(of(0))
  await begun(2)
  pass(1001)
  // It reads the folder, which is full with what the other process has kept.
  expect(await keep(of(0))).toBe(false)
  open()
  await answer
  expect(await listKept(folder)).toEqual([expect.stringContaining('-main-3-')])
})

test('reads the folder once a second while it keeps', async () => {
  const { keep } = await quarantined()
  disk.open()
  for (let index = 0; index < 20; index++) await keep()
  expect(disk.lists).toBe(0)
  pass(1001)
  for (let index = 0; index < 20; index++) await keep()
  expect(disk.lists).toBe(1)
})

test('a draft that vanishes while the folder is read disturbs nobody', async () => {
  const { keep } = await quarantined()
  disk.open()
  disk.vanishing.push('.2026.json.0a1b2c3d.part')
  pass(1001)
  expect(await keep()).toBe(true)
  expect(disk.lists).toBe(1)
})
