import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { folderQuarantine } from '../src/index.ts'
import { dropKept } from '../src/internal.ts'
import { openAll, record, stopClock, temporaryFolder } from './records.ts'

/** What the quarantine asks of the disk. */
const disk = vi.hoisted(() => ({ names: 0, writing: 0, mostWriting: 0, hasLinks: true }))

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>()
  return {
    ...actual,
    async link(from: string, to: string) {
      if (!disk.hasLinks) throw Object.assign(new Error('link'), { code: 'EPERM' })
      await actual.link(from, to)
    },
    async opendir(path: string) {
      const entries = await actual.opendir(path)
      return (async function* () {
        for await (const entry of entries) {
          disk.names += 1
          yield entry
        }
      })()
    },
    async writeFile(...args: Parameters<typeof actual.writeFile>) {
      disk.writing += 1
      disk.mostWriting = Math.max(disk.mostWriting, disk.writing)
      await actual.writeFile(...args).finally(() => {
        disk.writing -= 1
      })
    },
  }
})

beforeEach(() => {
  Object.assign(disk, { names: 0, writing: 0, mostWriting: 0, hasLinks: true })
})

const FILES = 2000

/** How many names are looked at in one turn of the event loop, at most: other work waits for no more than these. */
const CHUNK = 64

test('a folder with 2,000 files is read a few at a time, at the start and later', async () => {
  const pass = stopClock()
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'other'), { recursive: true, mode: 0o700 })
  const name = (index: number) => `${index.toString(16).padStart(64, '0')}.json`
  for (let index = 0; index < FILES; index++)
    writeFileSync(join(folder, 'other', name(index)), '{}')
  const quarantine = folderQuarantine(folder, { maxEntries: FILES + 2 })
  const entries = () => quarantine.counts().other.entries

  /** Reads until the whole folder is known, and looks at each name once, a few in a turn. */
  async function readsAll(between: () => unknown) {
    const begun = disk.names
    for (let turns = 1; entries() !== FILES; turns++) {
      const before = disk.names
      await turn()
      expect(disk.names - before).toBeLessThanOrEqual(CHUNK)
      if (turns % 20 === 0) await between()
    }
    expect(disk.names - begun).toBe(FILES)
  }

  await readsAll(() => {})
  // Now nothing is new, and each name still has to be looked at.
  const one = record()
  expect(await quarantine.keep(one)).toBe(true)
  await dropKept(folder, `other/${name(0)}`)
  pass(5001)
  // No other reading begins meanwhile, which would make this one forget what that one has not seen yet.
  await readsAll(() => quarantine.keep(one))
})

test('at most 16 files are written at the same time, because a process may have few descriptors', async () => {
  const quarantine = folderQuarantine(await temporaryFolder())
  const kept = Array.from({ length: 300 }, () => quarantine.keep(record()))
  expect((await Promise.all(kept)).every(Boolean)).toBe(true)
  expect(disk.mostWriting).toBeGreaterThan(1)
  expect(disk.mostWriting).toBeLessThanOrEqual(16)
})

test.each([true, false])(
  'with hard links: %s, a request is kept once by two processes, with the time of its first arrival',
  async (hasLinks) => {
    disk.hasLinks = hasLinks
    // The second does not read what the first has kept.
    stopClock()
    const folder = await temporaryFolder()
    const [first, second] = [folderQuarantine(folder), folderQuarantine(folder)]
    const [earlier, one] = [record(), record()]
    await second.keep(earlier)
    expect(await first.keep(one)).toBe(true)
    expect(await second.keep({ ...one, at: one.at + 1000 })).toBe(true)
    expect(readdirSync(join(folder, 'other'))).toHaveLength(2)
    const times = (await openAll(folder)).map(({ receivedAt }) => receivedAt)
    expect(times).toEqual([earlier.at, one.at])
  },
)
