import { randomUUID } from 'node:crypto'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, redisProblem, removeKeys } from '@webhook-receiver/checks/redis.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import type { DeliveryStore } from '@webhook-receiver/core'
import { migrate as migratePostgres, postgresStore } from '@webhook-receiver/postgres'
import { redisStore } from '@webhook-receiver/redis'
import { migrate, sqliteStore } from '@webhook-receiver/sqlite'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

const checks = fileURLToPath(new URL('../../checks/', import.meta.url))
const redisPackage = fileURLToPath(new URL('../../redis/', import.meta.url))

/** Marks a delivery as done. */
async function handled(store: DeliveryStore, key: string): Promise<void> {
  await store.claim(key, 'token', 30)
  expect(await store.complete(key, 'token')).toBe(true)
}

/** A project in which only one package is installed. */
async function projectWith(name: string, path: string): Promise<string> {
  const project = await folder()
  await mkdir(join(project, 'node_modules'))
  await symlink(path, join(project, 'node_modules', name))
  return project
}

describe.skipIf(await redisProblem())('in Redis', () => {
  test.each(['ioredis', 'redis'])('a done mark is forgotten, once, with %s', async (client) => {
    const project = await projectWith(client, join(redisPackage, 'node_modules', client))
    const prefix = `webhook-receiver-test:${randomUUID()}:`
    const redis = new Redis(REDIS_URL)
    onTestFinished(async () => {
      await removeKeys(prefix)
      redis.disconnect()
    })
    const store = redisStore({ prefix, send: (command) => redis.call(...command) })
    await handled(store, 'orders:the-id')
    const where = ['--redis', REDIS_URL, '--prefix', prefix, '--project', project]
    const args = ['forget', 'the-id', ...where]
    const other = await invoke([...args, '--json'])
    expect(other.json).toEqual([{ key: 'the-id', endpoint: 'default', forgotten: false }])
    expect(other.code).toBe(1)
    const first = await invoke([...args, '--endpoint', 'orders'])
    expect([first.code, first.out, first.err]).toEqual([
      0,
      'The next copy of this delivery is handled again.\n',
      '',
    ])
    expect(await store.claim('orders:the-id', 'next', 30)).toEqual({ status: 'claimed' })
    const second = await invoke([...args, '--endpoint', 'orders'])
    expect([second.code, second.out]).toEqual([1, ''])
    expect(second.err).toContain('is being handled at this moment')
  })
})

test.skipIf(await postgresProblem())('a done mark in PostgreSQL is forgotten', async () => {
  const table = `webhook_test_${randomUUID().replaceAll('-', '')}`
  const query = (text: string, values: unknown[]) => queryPostgres(text, values)
  onTestFinished(async () => void (await queryPostgres(`DROP TABLE ${table}`)))
  await migratePostgres(query, { table })
  const store = postgresStore({ query, table })
  await handled(store, 'default:the-id')
  const { code, out } = await invoke([
    ...['forget', 'the-id', '--postgres', DATABASE_URL],
    ...['--table', table, '--project', checks],
  ])
  expect([code, out]).toEqual([0, 'The next copy of this delivery is handled again.\n'])
  expect(await store.claim('default:the-id', 'next', 30)).toEqual({ status: 'claimed' })
})

test('a done mark in SQLite is forgotten', async () => {
  // It has the interface of better-sqlite3, for a Node without node:sqlite.
  const project = await projectWith('better-sqlite3', join(checks, 'node_modules', 'libsql'))
  const file = join(project, 'webhooks.db')
  const database = openSqlite(file)
  onTestFinished(() => database.close())
  await migrate(database)
  const store = sqliteStore({ database })
  await handled(store, 'default:the-id')
  const args = ['forget', 'the-id', '--sqlite', file, '--project', project, '--json']
  expect((await invoke(args)).json).toEqual([
    { key: 'the-id', endpoint: 'default', forgotten: true },
  ])
  expect(await store.claim('default:the-id', 'next', 30)).toEqual({ status: 'claimed' })
})

describe('a wrong command line', () => {
  test.each([
    [[], 'Choose one of --redis <url>, --postgres <url> and --sqlite <file>.'],
    [['--redis', REDIS_URL, '--sqlite', 'x.db'], 'Choose one of'],
    [['--sqlite', 'nowhere.db'], 'There is no file nowhere.db.'],
    [['--redis', REDIS_URL], 'This store needs ioredis or redis. Run the command in the folder'],
    [['--postgres', DATABASE_URL], 'This store needs pg.'],
  ])('%j ends with 2', async (args, message) => {
    const { code, out, err } = await invoke(['forget', 'id', ...args, '--project', await folder()])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  test('an endpoint that cannot be one ends with 2', async () => {
    const project = await projectWith('better-sqlite3', join(checks, 'node_modules', 'libsql'))
    const file = join(project, 'webhooks.db')
    openSqlite(file).close()
    const args = ['forget', 'id', '--sqlite', file, '--endpoint', 'a:b', '--project', project]
    const { code, err } = await invoke(args)
    expect(code).toBe(2)
    expect(err).toContain('`endpoint` should be 1 to 64 letters')
  })
})

test.each([
  ['--redis', 'redis://127.0.0.1:1', 'redis'],
  ['--redis', 'redis://127.0.0.1:1', 'ioredis'],
])('a store that cannot be reached ends with 1: %s %s with %s', async (option, url, client) => {
  const project = await projectWith(client, join(redisPackage, 'node_modules', client))
  const { code, err } = await invoke(['forget', 'id', option, url, '--project', project])
  expect(code).toBe(1)
  expect(err).toMatch(/^The store failed: .*ECONNREFUSED/)
})
