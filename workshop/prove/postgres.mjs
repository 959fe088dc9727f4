import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

export const DATABASE_URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/**
 * The rows of one statement, on a separate connection.
 *
 * @template [Row=unknown]
 * @param {string} text
 * @param {readonly unknown[]} [values]
 * @param {string} [url]
 * @returns {Promise<Row[]>}
 */
export async function queryPostgres(text, values = [], url = DATABASE_URL) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows
  } catch (error) {
    if (error.code !== TOO_MANY_CONNECTIONS) throw error
  } finally {
    await client.end().catch(() => {})
  }
  // Several runs of the tests share a server.
  await delay(100)
  return queryPostgres(text, values, url)
}

const TOO_MANY_CONNECTIONS = '53300'

/**
 * The address of a new database beside that of `DATABASE_URL`, which is removed at the end.
 *
 * @param {(task: () => Promise<unknown>) => unknown} onEnd
 */
export async function createDatabase(onEnd) {
  const name = `webhook_run_${randomBytes(6).toString('hex')}`
  await queryPostgres(`CREATE DATABASE ${name}`)
  onEnd(() => queryPostgres(`DROP DATABASE ${name} WITH (FORCE)`))
  const url = new URL(DATABASE_URL)
  url.pathname = name
  return url.href
}

/**
 * A pool in which no connection that is lost ends the process, idle or in use.
 *
 * @param {pg.PoolConfig} options
 */
export function openPool(options) {
  const pool = new pg.Pool(options)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Runs work in a transaction, as the README of postgres says.
 *
 * @template Result
 * @param {pg.Pool} pool
 * @param {(client: pg.PoolClient) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function inTransaction(pool, work) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}

/**
 * Makes the COMMIT of a transaction fail by a constraint that is deferred, with an error about the text 'late'.
 *
 * @param {(text: string) => PromiseLike<unknown>} run
 */
export async function failLate(run) {
  await run('CREATE TEMPORARY TABLE late (n text) ON COMMIT DROP')
  await run(
    "CREATE OR REPLACE FUNCTION pg_temp.late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new.n::bigint; END'",
  )
  await run(
    'CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.late()',
  )
  await run("INSERT INTO late VALUES ('late')")
}

/**
 * Why PostgreSQL cannot be used; undefined where it can.
 *
 * @returns {Promise<string | undefined>}
 */
export function postgresProblem(url = DATABASE_URL) {
  return queryPostgres('SELECT 1', [], url).then(
    () => undefined,
    (error) => error.message || error.code,
  )
}
