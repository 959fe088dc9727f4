import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Inbox } from '@webhook-receiver/inbox'
import {
  asUsageError,
  type CommandContext,
  Failure,
  messageOf,
  printable,
} from '../console/index.ts'
import { variablesIn } from '../options/index.ts'
import { explained, UNNAMED } from './problem.ts'

/** The table's name without `--table`. */
export const TABLE = 'webhook_inbox'

interface Opened {
  readonly inbox: Inbox<string>
  readonly close: () => Promise<void>
}

/** The client is that of the application, which knows the database: this package has none. */
export async function openInbox(table: string, { env }: CommandContext): Promise<Opened> {
  const isNamed = [env.DATABASE_URL, env.PGHOST, env.PGUSER].some(Boolean)
  const url = isNamed ? env.DATABASE_URL : (await variablesIn('.env')).DATABASE_URL
  const place = { table, url, isNamed }
  const { Pool } = await clientHere(isNamed || url !== undefined ? '' : ` ${UNNAMED}`)
  const { postgresInbox } = await import('@webhook-receiver/inbox')
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5000 })
  pool.on('error', () => {})
  const query: typeof pool.query = async (statement) => {
    try {
      return await pool.query(statement)
    } catch (error) {
      throw explained(error, place)
    }
  }
  const inbox = asUsageError(() =>
    postgresInbox({ pool: { query, connect: () => pool.connect() }, table, services: {} }),
  )
  return { inbox, close: () => pool.end() }
}

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

/** `unnamed` follows what to do. */
async function clientHere(unnamed: string): Promise<Client> {
  const here = process.cwd()
  try {
    const path = createRequire(join(here, 'package.json')).resolve('pg')
    const module: { readonly default: Client } = await import(pathToFileURL(path).href)
    return module.default
  } catch (error) {
    throw new Failure(
      `The client of PostgreSQL cannot be loaded from ${here}: ${printable(messageOf(error).split('\n')[0] ?? '')}. Run this command in the folder of your application, or install it there: npm install pg.${unnamed}`,
    )
  }
}
