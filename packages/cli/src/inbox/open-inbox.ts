import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Inbox } from '@webhook-receiver/inbox'
import {
  asUsageError,
  type CommandContext,
  codeOf,
  Failure,
  messageOf,
  printable,
  UsageError,
} from '../console/index.ts'
import { variablesIn } from '../options/index.ts'

interface Opened {
  readonly inbox: Inbox<string>
  readonly close: () => Promise<void>
}

/** The client is that of the application, which knows the database: this package has none. */
export async function openInbox(table: string, { env }: CommandContext): Promise<Opened> {
  const { Pool } = await clientHere()
  const { postgresInbox } = await import('@webhook-receiver/inbox')
  const isNamed = [env.DATABASE_URL, env.PGHOST, env.PGUSER].some(Boolean)
  const connectionString = isNamed ? env.DATABASE_URL : (await variablesIn('.env')).DATABASE_URL
  const pool = new Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: 5000,
  })
  pool.on('error', () => {})
  const query: typeof pool.query = (statement) =>
    pool.query(statement).catch((error) => {
      if (codeOf(error) === NO_TABLE)
        throw new Failure(
          `The inbox ${table} is not in this database (${printable(messageOf(error))}). Start your application once, whose inbox.setup() makes its tables, or name its --table.`,
        )
      throw new Failure(
        `PostgreSQL: ${printable(messageOf(error))}. Start it, or set DATABASE_URL to the database of your application.`,
      )
    })
  const inbox = asUsageError(() =>
    postgresInbox({ pool: { query, connect: () => pool.connect() }, table, services: {} }),
  )
  return { inbox, close: () => pool.end() }
}

/** PostgreSQL's undefined_table. */
const NO_TABLE = '42P01'

/** What is used of pg. */
interface Client {
  readonly Pool: new (options: {
    readonly connectionString: string | undefined
    readonly max: number
    readonly connectionTimeoutMillis: number
  }) => {
    on(event: 'error', listener: () => void): unknown
    query(statement: object): Promise<{ readonly rows: readonly unknown[] }>
    connect(): Promise<unknown>
    end(): Promise<void>
  }
}

async function clientHere(): Promise<Client> {
  const here = process.cwd()
  try {
    const path = createRequire(join(here, 'package.json')).resolve('pg')
    const module: { readonly default: Client } = await import(pathToFileURL(path).href)
    return module.default
  } catch (error) {
    throw new UsageError(
      `The client of PostgreSQL cannot be loaded from ${here}: ${printable(messageOf(error).split('\n')[0] ?? '')}. Run this command in the folder of your application, or install it there: npm install pg`,
    )
  }
}
