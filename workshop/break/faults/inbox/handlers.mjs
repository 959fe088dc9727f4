// In place of handlers.js of the example: copied beside its worker. A run in a hundred fails before its effect, another behind it.
// What has no number fails in every run.
import { setTimeout as delay } from 'node:timers/promises'

/** The effect is a row in the transaction. */
export async function handle({ id, data: { instance_id: conversation, data } }, { transaction }) {
  const fate = Math.random()
  await delay(Math.random() * 4)
  if (fate < 0.01 || data.number === undefined) throw new Error('The handler fails on purpose.')
  const insert = 'INSERT INTO effects (id, conversation, number) VALUES ($1, $2, $3)'
  await transaction.query(insert, [id, conversation, data.number])
  await delay(Math.random() * 4)
  if (fate > 0.99) throw new Error('The handler fails on purpose, after its effect.')
}
