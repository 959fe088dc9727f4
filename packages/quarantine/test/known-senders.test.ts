import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

test('a sign is forgotten after 30 days, and noted again after an hour', async () => {
  const path = await folder()
  const senders = knownSenders(path)
  senders.learn('instance', 'a', 0)
  senders.learn('instance', 'a', 1000)
  expect(senders.knows('instance', 'a', 30 * DAY - 1)).toBe(true)
  expect(senders.knows('instance', 'a', 30 * DAY)).toBe(false)
  senders.learn('instance', 'a', 3_600_000)
  expect(senders.knows('instance', 'a', 30 * DAY)).toBe(true)
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
