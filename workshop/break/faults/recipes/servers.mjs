// What the clients of the recipes connect to, behind a proxy that can be cut.
import { join } from 'node:path'
import { createTable, dynamodbEnv, startDynamodb } from '@webhook-receiver/checks/dynamodb.mjs'
import { createDatabase, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'
import { REDIS_URL, withRedis } from '@webhook-receiver/checks/redis.mjs'
import { redisServer } from '@webhook-receiver/checks/servers.mjs'
import { openSqlite } from '@webhook-receiver/checks/sqlite.mjs'
import { TcpProxy } from '@webhook-receiver/checks/tcp-proxy.mjs'
import { startUpstash, UPSTASH_TOKEN } from '@webhook-receiver/checks/upstash.mjs'
import { migrationOf } from '@webhook-receiver/inbox'
import { migrate } from '@webhook-receiver/postgres'

/**
 * A server of a recipe: the environment of a process that uses it, and how it goes away and comes back.
 *
 * @typedef {{ env: Record<string, string>, cut?: () => unknown, open?: () => unknown }} Server
 * @type {Readonly<Record<string, (onEnd: (task: () => unknown) => void, folder: string) => Promise<Server>>>}
 */
export const SERVERS = {
  redis: (onEnd) => redisAt(REDIS_URL, onEnd),

  /** For what does not remove its keys. */
  ownRedis: async (onEnd) => redisAt(await startRedis({}, onEnd), onEnd),

  /** One node with all slots, which tells its clients the address of the proxy. */
  async cluster(onEnd) {
    const url = await startRedis({ cluster: true }, onEnd)
    const server = await redisAt(url, onEnd)
    const { port } = new URL(server.env.REDIS_URL)
    await withRedis(async (redis) => {
      await redis.call('CONFIG', 'SET', 'cluster-announce-ip', '127.0.0.1')
      await redis.call('CONFIG', 'SET', 'cluster-announce-port', port)
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
      while (!String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }, url)
    return server
  },

  async upstash(onEnd) {
    const server = await startUpstash()
    onEnd(server.stop)
    const proxy = await proxyTo(server.url, onEnd)
    return {
      ...proxy,
      env: { UPSTASH_REDIS_REST_URL: proxy.url, UPSTASH_REDIS_REST_TOKEN: UPSTASH_TOKEN },
    }
  },

  async postgres(onEnd) {
    const proxy = await proxyTo(await createTables(onEnd), onEnd)
    return { ...proxy, env: postgresEnv(proxy.url) }
  },

  async dynamodb(onEnd) {
    const server = await startDynamodb()
    onEnd(server.stop)
    await createTable(server.url, 'webhook-deliveries')
    const proxy = await proxyTo(server.url, onEnd)
    return { ...proxy, env: dynamodbEnv(proxy.url) }
  },

  /** A file, which another connection writes to for as long as it likes. */
  async file(onEnd, folder) {
    const database = openSqlite(join(folder, 'webhooks.db'))
    database.exec('PRAGMA journal_mode = WAL')
    onEnd(() => database.close())
    return {
      env: {},
      cut: () => database.exec('BEGIN IMMEDIATE'),
      open: () => database.exec('ROLLBACK'),
    }
  },

  none: async () => ({ env: {} }),
}

async function startRedis(options, onEnd) {
  const server = await redisServer({ persistent: false, ...options })
  onEnd(server.remove)
  await server.start()
  return server.url
}

async function redisAt(url, onEnd) {
  const proxy = await proxyTo(url, onEnd)
  return { ...proxy, env: { REDIS_URL: proxy.url } }
}

async function proxyTo(url, onEnd) {
  const proxy = await new TcpProxy(url).open()
  onEnd(() => proxy.cut())
  return { url: proxy.url, cut: () => proxy.cut(), open: () => proxy.open() }
}

/** A database with the tables of the stores, of the inbox and of the guide. */
async function createTables(onEnd) {
  const url = await createDatabase(onEnd)
  await migrate((text, values) => queryPostgres(text, values, url))
  await queryPostgres(`${migrationOf()}CREATE TABLE paid (event jsonb)`, [], url)
  return url
}

/** For clients that get a URL, and for those that read the variables of libpq. */
function postgresEnv(url) {
  const { hostname, port, pathname, username, password } = new URL(url)
  return {
    DATABASE_URL: url,
    PGHOST: hostname,
    PGPORT: port,
    PGDATABASE: pathname.slice(1),
    PGUSER: username || 'postgres',
    ...(password && { PGPASSWORD: password }),
  }
}
