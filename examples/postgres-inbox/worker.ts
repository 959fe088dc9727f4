import { setTimeout as delay } from 'node:timers/promises'
import { createDeliveryHandler } from '@webhook-receiver/core/handling'
import { parseStoredDelivery } from '@webhook-receiver/core/stored'
import type pg from 'pg'
import { pool, prepareTables, transaction } from './database.js'

// The work, by event: what throws is tried again.
const handle = createDeliveryHandler({
  'message.received': async ({ data }) => console.error('A message, with', Object.keys(data.data)),
  any: async ({ event }) => console.error('Nothing to do for', event),
})

/**
 * Handles the first row that is due and that no other worker holds; false where there is none. What is written by
 * `client` is committed with the row's removal; everything else may happen twice, if the worker dies in between.
 */
async function handleNext(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT position, delivery FROM inbox WHERE due <= now() ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED',
  )
  const [row] = rows
  if (!row) return false
  await client.query('SAVEPOINT work')
  try {
    const delivery = parseStoredDelivery(row.delivery)
    await handle(delivery)
    await client.query('DELETE FROM inbox WHERE position = $1', [row.position])
    const { id, event, data } = delivery
    console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  } catch (error) {
    console.error(`Row ${row.position} failed:`, error)
    await client.query('ROLLBACK TO SAVEPOINT work')
    // Later each time, up to an hour, so that the rows behind it do not wait.
    await client.query(
      "UPDATE inbox SET attempts = attempts + 1, due = now() + least(2 ^ attempts, 3600) * interval '1 second' WHERE position = $1",
      [row.position],
    )
  }
  return true
}

let running = true
for (const signal of ['SIGINT', 'SIGTERM']) {
  // The row in progress is finished first.
  process.once(signal, () => {
    running = false
  })
}

await prepareTables(() => running)
console.error('Waiting for rows')

while (running) {
  const found = await transaction(handleNext).catch((error) => {
    console.error('postgres:', error.message)
    return false
  })
  if (!found) await delay(200)
}
await pool.end()
