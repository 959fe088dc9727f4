import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { type DeliveryStore, forgetDelivery } from '@webhook-receiver/core'
import type { Query } from '@webhook-receiver/postgres'
import type { SendCommand } from '@webhook-receiver/redis'
import type { SqliteDatabase } from '@webhook-receiver/sqlite'
import { Failure, messageOf, printable, UsageError } from '../console/index.ts'
import { GENERAL_OPTIONS, JSON_FLAG, type MakeCommand, newCommand } from '../options/index.ts'

const EXAMPLES = [
  'forget 3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11 --redis redis://127.0.0.1:6379',
  'forget 3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11 --sqlite webhooks.db --endpoint orders',
]

const NOTHING =
  'There is no done mark for this key and endpoint. The delivery was not handled, is being handled at this moment, or its mark has expired.\n'

/** `forget`: the done mark of a delivery, so that its next copy is handled again. */
export const forgetCommand: MakeCommand = (context, end) =>
  newCommand('forget', 'let a delivery that was handled be handled once more', EXAMPLES)
    .argument('<key>', 'the verification.key of the delivery: its id, if that is signed')
    .optionsGroup('Store:')
    .option('--redis <url>', 'the server of redisStore; needs ioredis or redis')
    .option('--postgres <url>', 'the database of a PostgreSQL store; needs pg')
    .option('--sqlite <file>', 'the file of an SQLite store; needs Node 22.13 or better-sqlite3')
    .option('--endpoint <name>', 'the option `endpoint` of the handler', 'default')
    .option('--prefix <text>', 'the option `prefix` of redisStore')
    .option('--table <name>', 'the option `table` of the store')
    .option('--project <folder>', 'where the client of the store is installed', '.')
    .optionsGroup(GENERAL_OPTIONS)
    .option(...JSON_FLAG)
    .action(async (key, { redis, postgres, sqlite, endpoint, prefix, table, project, json }) => {
      if ([redis, postgres, sqlite].filter((given) => given !== undefined).length !== 1) {
        throw new UsageError('Choose one of --redis <url>, --postgres <url> and --sqlite <file>.')
      }
      const load = loaderIn(project)
      try {
        const { store, close } = await (redis !== undefined
          ? openRedis(redis, prefix, load)
          : postgres !== undefined
            ? openPostgres(postgres, table, load)
            : openSqlite(sqlite ?? '', table, load))
        const forgotten = await forgetDelivery(store, key, { endpoint }).finally(close)
        const { stdout, stderr } = context
        if (!forgotten) stderr.write(NOTHING)
        if (json) stdout.write(`${JSON.stringify({ key, endpoint, forgotten })}\n`)
        else if (forgotten) stdout.write('The next copy of this delivery is handled again.\n')
        end(forgotten ? 0 : 1)
      } catch (error) {
        if (error instanceof UsageError) throw error
        // Of an option, such as a URL or the name of a table.
        if (error instanceof TypeError) throw new UsageError(printable(error.message))
        throw new Failure(`The store failed: ${printable(messageOf(error))}`)
      }
    })

interface OpenedStore {
  readonly store: Pick<DeliveryStore, 'forget'>
  close(): unknown
}

/** Loads a package of the application, since no client of a store is installed with this command. */
type Load = (name: string) => ClientPackage | undefined

function loaderIn(project: string): Load {
  const require = createRequire(resolve(project, 'package.json'))
  return (name) => {
    try {
      require.resolve(name)
    } catch {
      return undefined
    }
    return require(name)
  }
}

async function openRedis(
  url: string,
  prefix: string | undefined,
  load: Load,
): Promise<OpenedStore> {
  const { redisStore } = await import('@webhook-receiver/redis')
  const ioredis = load('ioredis')
  const once = { lazyConnect: true, retryStrategy: () => null }
  const client = ioredis
    ? new ioredis.Redis(url, once)
    : load('redis')?.createClient({ url, socket: { reconnectStrategy: false } })
  if (!client) throw missing('ioredis or redis')
  let reason: unknown
  client.on('error', (error) => {
    reason = error
  })
  // ioredis itself says only that the connection is closed.
  await client.connect().catch((error: unknown) => Promise.reject(reason ?? error))
  const send: SendCommand = (command) =>
    ioredis ? client.call(...command) : client.sendCommand(command)
  return { store: redisStore({ send, prefix }), close: () => client.disconnect() }
}

async function openPostgres(
  url: string,
  table: string | undefined,
  load: Load,
): Promise<OpenedStore> {
  const { postgresStore } = await import('@webhook-receiver/postgres')
  const pg = load('pg')
  if (!pg) throw missing('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  const query: Query = (text, values) => client.query(text, values)
  return { store: postgresStore({ query, table }), close: () => client.end() }
}

async function openSqlite(
  file: string,
  table: string | undefined,
  load: Load,
): Promise<OpenedStore> {
  const { sqliteStore } = await import('@webhook-receiver/sqlite')
  if (!existsSync(file)) throw new UsageError(`There is no file ${printable(file)}.`)
  const node: { DatabaseSync?: ClientPackage } = Object(process.getBuiltinModule?.('node:sqlite'))
  const Database = node.DatabaseSync ?? load('better-sqlite3')
  if (!Database) throw missing('Node 22.13 or better-sqlite3')
  const database = new Database(file)
  return { store: sqliteStore({ database, table }), close: () => database.close() }
}

function missing(names: string): UsageError {
  return new UsageError(
    `This store needs ${names}. Run the command in the folder of your application, or name that folder with --project.`,
  )
}

/** What is used of ioredis, redis, pg and better-sqlite3. */
interface ClientPackage {
  readonly Redis: new (url: string, options: object) => Client
  readonly createClient: (options: object) => Client
  readonly Client: new (options: object) => Client
  new (file: string): SqliteDatabase & { close(): unknown }
}

interface Client {
  on(event: 'error', listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
  call(...command: readonly string[]): Promise<unknown>
  sendCommand(command: readonly string[]): Promise<unknown>
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  disconnect(): unknown
  end(): unknown
}
