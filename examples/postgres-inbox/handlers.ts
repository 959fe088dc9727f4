import type { Delivery } from '@webhook-receiver/express'
import type { InboxContext } from '@webhook-receiver/inbox'
import type pg from 'pg'

/**
 * Handles one delivery. What it writes with `transaction` happens once: it is committed with the mark that the delivery is done.
 * If it throws an error, nothing is committed, and it is run again.
 */
export async function handle(
  { event, data }: Delivery,
  { transaction }: InboxContext<pg.PoolClient>,
): Promise<void> {
  const { rows } = await transaction.query('SELECT now()')
  console.error(event, 'at', rows[0].now, 'with', Object.keys(data.data))
}
