import { join } from 'node:path'
import { createContenders } from '@webhook-receiver/checks/contenders.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqliteStore, sqliteTransactionalStore } from '../src/index.ts'
import { temporaryFolder } from './files.ts'

const file = `${temporaryFolder()}/webhooks.db`
const { start, go, kill, killAll } = createContenders(join(import.meta.dirname, 'contender.ts'))

describe('several processes on one file', () => {
  const database = openSqlite(file)
  const effectsOf = (key: string) =>
    database.prepare('SELECT key FROM effects WHERE key LIKE ?').all(key).length

  beforeAll(async () => {
    await migrate(database)
    database.exec('CREATE TABLE effects (key TEXT)')
  })
  afterAll(async () => {
    await killAll()
    database.close()
  })

  test.each(['lease', 'transaction'] as const)(
    'handle 1,000 deliveries once each, of 20 copies at once, by %s',
    async (mode) => {
      const asked = { file, ids: 1000, copies: 10, mode }
      const processes = await Promise.all([start(asked), start(asked)])
      const results = (await Promise.all(processes.map(go))) as { won: string[] }[]
      const won = results.flatMap((result) => result.won)
      expect(won).toHaveLength(1000)
      expect(new Set(won).size).toBe(1000)
      expect(effectsOf(`${mode} %`)).toBe(1000)
    },
  )

  test('a process that is killed before COMMIT leaves neither effect nor mark', async () => {
    const child = await start({ file, ids: 1, copies: 1, mode: 'transaction', fate: 'hang' })
    const key = 'transaction hang 0'
    expect(await go(child)).toEqual({ effect: key })
    const store = sqliteTransactionalStore({ database, busyTimeout: 0.1 })
    await expect(store.transact(key, () => expect.unreachable())).rejects.toThrow(
      'The database is locked',
    )
    await kill(child)
    expect(effectsOf(key)).toBe(0)
    const retry = await store.transact(key, async (transaction) => {
      transaction.prepare('INSERT INTO effects VALUES (?) RETURNING key').all(key)
    })
    expect(retry).toEqual({ status: 'claimed' })
    expect(effectsOf(key)).toBe(1)
  })

  test('a process that is killed after COMMIT leaves both', async () => {
    const child = await start({
      file,
      ids: 1,
      copies: 1,
      mode: 'transaction',
      fate: 'hang after commit',
    })
    const key = 'transaction hang after commit 0'
    expect(await go(child)).toEqual({ won: [key] })
    await kill(child)
    expect(effectsOf(key)).toBe(1)
    const store = sqliteTransactionalStore({ database })
    expect(await store.transact(key, () => expect.unreachable())).toEqual({ status: 'done' })
  })

  test('a process that is killed with a lease leaves the delivery to the next, when it is over', async () => {
    const child = await start({ file, ids: 1, copies: 1, mode: 'lease', fate: 'hang' })
    const key = 'lease hang 0'
    expect(await go(child)).toEqual({ effect: key })
    await kill(child)
    const store = sqliteStore({ database })
    expect(await store.claim(key, 'next', 60)).toMatchObject({ status: 'in_progress' })
    const retry = () => store.claim(key, 'next', 60)
    await expect.poll(retry).toEqual({ status: 'claimed' })
  })

  test('make a new database at once without an error', async () => {
    const fresh = file.replace('.db', '-fresh.db')
    const asked = { file: fresh, ids: 0, copies: 0, mode: 'lease' } as const
    await Promise.all(Array.from({ length: 4 }, () => start(asked)))
    const opened = openSqlite(fresh)
    expect(await sqliteStore({ database: opened }).claim('key', 'token', 1)).toEqual({
      status: 'claimed',
    })
    opened.close()
  })
})
