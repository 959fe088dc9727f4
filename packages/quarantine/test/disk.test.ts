import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { folderQuarantine } from '../src/index.ts'
import { dropKept } from '../src/internal.ts'
import { record, stopClock, temporaryFolder } from './records.ts'

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

  /** Resolves to how many names were looked at until then, and how many of them in one turn. */
  async function reading(done: () => boolean, between: () => Promise<unknown>) {
    const begun = disk.names
    let most = 0
    for (let turns = 1; !done(); turns++) {
      const before = disk.names
      await turn()
      most = Math.max(most, disk.names - before)
      if (turns % 20 === 0) await between()
    }
    return { total: disk.names - begun, most }
  }

  const first = await reading(
    () => entries() === FILES,
    async () => {},
  )
  expect(first.total).toBe(FILES)
  expect(first.most).toBeLessThanOrEqual(CHUNK)

  // Now nothing is new, and each name still has to be looked at.
  const one = record()
  expect(await quarantine.keep(one)).toBe(true)
  await dropKept(folder, `other/${name(0)}`)
  pass(5001)
  // No other reading begins meanwhile, which would make this one forget what that one has not seen yet.
  const second = await reading(
    () => entries() === FILES,
    async () => quarantine.keep(one),
  )
  expect(second.total).toBe(FILES)
  expect(second.most).toBeLessThanOrEqual(CHUNK)
})

test('at most 16 files are written at the same time, because a process may have few descriptors', async () => {
  const quarantine = folderQuarantine(await temporaryFolder())
  const kept = Array.from({ length: 300 }, () => quarantine.keep(record()))
  expect((await Promise.all(kept)).every(Boolean)).toBe(true)
  expect(disk.mostWriting).toBeGreaterThan(1)
  expect(disk.mostWriting).toBeLessThanOrEqual(16)
})

test('without hard links, a request is kept once too, with the time of its first arrival', async () => {
  disk.hasLinks = false
  const folder = await temporaryFolder()
  const [first, second] = [folderQuarantine(folder), folderQuarantine(folder)]
  const one = record()
  expect(await first.keep(one)).toBe(true)
  expect(await second.keep({ ...one, at: one.at + 1000 })).toBe(true)
  const [name = '', ...others] = readdirSync(join(folder, 'other'))
  expect(others).toEqual([])
  expect(JSON.parse(readFileSync(join(folder, 'other', name), 'utf8'))).toMatchObject({
    received_at: new Date(one.at).toISOString(),
  })
})
