import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claim, release } from '../src/claim.ts'
import { folderQuarantine } from '../src/index.ts'
import { listKept } from '../src/internal.ts'
import { record, temporaryFolder } from './records.ts'

const NAME = `${'a'.repeat(64)}.json`

/** A folder with one file. */
async function folderWithFile() {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'other'), { recursive: true, mode: 0o700 })
  const path = join(folder, 'other', NAME)
  await writeFile(path, 'one')
  return { folder, path }
}

test('only one of many claims a file, and it is listed when that is released', async () => {
  const { folder, path } = await folderWithFile()
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(path)))
  const [claimed = '', ...others] = claims.filter((one) => one !== undefined)
  expect(others).toEqual([])
  expect(await listKept(folder)).toEqual([])
  await release(claimed, path)
  expect(await listKept(folder)).toEqual([`other/${NAME}`])
})

/** No system gives a process this number. */
const NOBODY = 99_999_999
const HOUR = 3_600_000

interface Claim {
  readonly pid?: number
  /** In milliseconds. */
  readonly age?: number
  readonly host?: string
}

/** The name of a claimed file. */
function claimOf({ pid = process.pid, age = 0, host = hostname() }: Claim) {
  const machine = createHash('sha256').update(host).digest('hex').slice(0, 8)
  return `${NAME}.${pid}-${Date.now() - age}-${machine}.claim`
}

test.each<[string, 'stays' | 'ends', Claim]>([
  ['of this process', 'stays', {}],
  ['of a process that has ended', 'ends', { pid: NOBODY }],
  ['of a process of another machine', 'stays', { pid: NOBODY, host: 'another' }],
  ['of another machine, an hour ago', 'ends', { host: 'another', age: HOUR + 1000 }],
  ['by a clock that was ahead', 'ends', { host: 'another', age: -HOUR - 60_000 }],
  // In a container that was restarted.
  ['of an earlier process with the number of this one', 'ends', { age: HOUR - 60_000 }],
])('a claim %s %s', async (_, end, made) => {
  const { folder, path } = await folderWithFile()
  const claimed = claimOf(made)
  await rename(path, join(folder, 'other', claimed))
  const [listed, left] = end === 'ends' ? [[`other/${NAME}`], NAME] : [[], claimed]
  expect(await listKept(folder)).toEqual(listed)
  expect(await readdir(join(folder, 'other'))).toEqual([left])
})

test('a claim that has ended takes the place of a copy that came meanwhile, and is listed once', async () => {
  const { folder, path } = await folderWithFile()
  await rename(path, join(folder, 'other', claimOf({ pid: NOBODY })))
  await writeFile(path, 'another')
  expect(await listKept(folder)).toEqual([`other/${NAME}`])
  expect(await readFile(path, 'utf8')).toBe('one')
})

test('a claim expires with its file', async () => {
  const { folder, path } = await folderWithFile()
  const claimed = (await claim(path)) ?? ''
  await utimes(claimed, 0, 0)
  await folderQuarantine(folder).keep(record())
  expect(await release(claimed, path)).toBeUndefined()
  expect(await listKept(folder)).toHaveLength(1)
})
