import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { knownSenders } from '../src/known-senders.ts'
import { temporaryFolder } from './records.ts'

const DAY = 86_400_000

async function folder(): Promise<string> {
  const path = await temporaryFolder()
  mkdirSync(path)
  return path
}

test('processes that share a folder add to one another, and the later time stays', async () => {
  const path = await folder()
  const [one, other] = [knownSenders(path), knownSenders(path)]
  one.learn('instance', 'a', 2 * DAY)
  other.learn('instance', 'a', DAY)
  other.learn('address', '192.0.2.1', DAY)
  await one.save()
  await other.close()
  const later = knownSenders(path)
  expect(later.knows('instance', 'a', 31.5 * DAY)).toBe(true)
  expect(later.knows('address', '192.0.2.1', DAY)).toBe(true)
  expect(later.knows('address', 'a', DAY)).toBe(false)
})

test.each([
  [2 * DAY, DAY],
  [DAY, 2 * DAY],
])('the later time stays, whoever writes last: %i, then %i', async (first, last) => {
  const path = await folder()
  const [one, other] = [knownSenders(path), knownSenders(path)]
  one.learn('address', 'a', first)
  await one.close()
  other.learn('address', 'a', last)
  await other.close()
  expect(knownSenders(path).knows('address', 'a', 32 * DAY - 1)).toBe(true)
  expect(knownSenders(path).knows('address', 'a', 32 * DAY)).toBe(false)
})

test('writes what is new by itself a second later, and nothing where nothing is new', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const path = await folder()
  const file = join(path, '.senders.json')
  const senders = knownSenders(path)
  await senders.save()
  expect(existsSync(file)).toBe(false)
  for (const name of ['a', 'b']) {
    senders.learn('instance', name, DAY)
    vi.advanceTimersByTime(999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(0)
    // After the write that the timer began.
    await senders.save()
    expect(knownSenders(path).knows('instance', name, DAY)).toBe(true)
  }
  await rm(file)
  await senders.close()
  expect(existsSync(file)).toBe(false)
})

test('a sign is forgotten after 30 days, and noted again after an hour', async () => {
  const path = await folder()
  const senders = knownSenders(path)
  const start = 1_769_860_800_000
  senders.learn('instance', 'a', start)
  senders.learn('instance', 'a', start + 3_599_999)
  expect(senders.knows('instance', 'a', start + 30 * DAY - 1)).toBe(true)
  expect(senders.knows('instance', 'a', start + 30 * DAY)).toBe(false)
  senders.learn('instance', 'a', start + 3_600_000)
  expect(senders.knows('instance', 'a', start + 30 * DAY + 3_599_999)).toBe(true)
  expect(senders.knows('instance', 'a', start + 30 * DAY + 3_600_000)).toBe(false)
  await senders.close()
})

test('the oldest of more than 10,000 is forgotten', async () => {
  const path = await folder()
  const senders = knownSenders(path)
  for (let index = 0; index <= 10_000; index++) senders.learn('instance', `i${index}`, index)
  expect(senders.knows('instance', 'i0', 10_000)).toBe(false)
  expect(senders.knows('instance', 'i1', 10_000)).toBe(true)
  await senders.close()
  expect(JSON.parse(readFileSync(join(path, '.senders.json'), 'utf8')).instance).toHaveLength(
    10_000,
  )
})

test('forgets the oldest of a file in any order, and skips what is no sign in it', async () => {
  const path = await folder()
  const file = join(path, '.senders.json')
  const senders = knownSenders(path)
  for (const [name, at] of [
    ['newer', 5],
    ['oldest', 1],
    ['text', 3],
  ] as const)
    senders.learn('instance', name, at)
  await senders.close()
  const { instance } = JSON.parse(readFileSync(file, 'utf8'))
  const hash = (at: number) => instance.find(([, time]: [string, number]) => time === at)[0]
  const others = Array.from({ length: 9997 }, (_, index) => [`other ${index}`, 9 + index])
  const list = [...others, [hash(5), 5], [hash(1), 1], [hash(3), '9e99'], [null, 7], null, 'x', []]
  writeFileSync(file, JSON.stringify({ instance: list }))
  const later = knownSenders(path)
  expect(later.knows('instance', 'text', 3)).toBe(false)
  expect(later.knows('instance', 'oldest', 3)).toBe(true)
  later.learn('instance', 'one more', DAY)
  expect(later.knows('instance', 'oldest', DAY)).toBe(false)
  expect(later.knows('instance', 'newer', DAY)).toBe(true)
  await later.close()
})

test.each(['', '[]', '{"instance":1}', '{"instance":[1,["a"],[1,2]],"address":null}', 'no json'])(
  'a file that holds %s is as none, and is replaced',
  async (text) => {
    const path = await folder()
    writeFileSync(join(path, '.senders.json'), text)
    const senders = knownSenders(path)
    expect(senders.knows('instance', 'a', 0)).toBe(false)
    senders.learn('instance', 'a', 0)
    await senders.close()
    expect(knownSenders(path).knows('instance', 'a', 1)).toBe(true)
  },
)

test('a folder that is gone fails nothing', async () => {
  const path = await folder()
  const senders = knownSenders(path)
  senders.learn('instance', 'a', 0)
  await rm(path, { recursive: true })
  await expect(senders.close()).resolves.toBeUndefined()
  expect(senders.knows('instance', 'a', 1)).toBe(true)
})
