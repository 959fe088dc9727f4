import { join } from 'node:path'
import { createContenders } from '@webhook-receiver/checks/contenders.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dynamodbStore } from '../src/index.ts'
import { type Database, openDatabase } from './database.ts'

const { start, go, kill, killAll } = createContenders(join(import.meta.dirname, 'contender.ts'))
let database: Database

/** What each process is asked, for the database of this run. */
function asked(ids: number, copies: number) {
  return { url: database.url, table: database.table, ids, copies, mode: 'lease' } as const
}

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(async () => {
  await killAll()
  await database?.stop()
})

describe('several processes on one table', () => {
  test('handle 20 deliveries once each, of 20 copies at once', async () => {
    const processes = await Promise.all([start(asked(20, 10)), start(asked(20, 10))])
    const results = (await Promise.all(processes.map(go))) as { won: string[] }[]
    const won = results.flatMap((result) => result.won)
    expect(won).toHaveLength(20)
    expect(new Set(won).size).toBe(20)
  })

  test('a process that is killed inside its handler leaves the delivery to the next, when its lease is over', async () => {
    const child = await start({ ...asked(1, 1), fate: 'hang' })
    const key = 'lease hang 0'
    expect(await go(child)).toEqual({ effect: key })
    await kill(child)
    const store = dynamodbStore({
      table: database.table,
      update: (input) => database.dynamodb.updateItem(input),
    })
    const retry = () => store.claim(key, 'next', 60)
    await expect.poll(retry).toEqual({ status: 'claimed' })
  })
})
