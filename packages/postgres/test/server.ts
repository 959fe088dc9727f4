import { randomBytes } from 'node:crypto'
import { DATABASE_URL, postgresProblem, queryPostgres } from '@webhook-receiver/checks/postgres.mjs'

/** Why it does not respond. The tests that need it are then skipped; in CI that is a failure. */
export const unreachable: string | undefined = await postgresProblem()

/** A table that no other file or run uses. */
export const table: string = `webhook_test_${randomBytes(8).toString('hex')}`

/** Where handlers leave their effects. */
export const effects: string = `${table}_effects`

export async function dropTables(): Promise<void> {
  if (unreachable === undefined) await queryPostgres(`DROP TABLE IF EXISTS ${table}, ${effects}`)
}

export { DATABASE_URL, queryPostgres }
