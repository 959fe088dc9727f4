// In place of handlers.js of the example: copied beside its worker. A run in a hundred fails before its effect, another behind it.
// What has no number fails in every run.
import { setTimeout as delay } from 'node:timers/promises'

const { DATABASE_URL, REDIS_URL } = process.env

export const handle = DATABASE_URL ? onPostgres : await onRedis()

/** The effect is a row in the transaction. */
function onPostgres(delivery, { transaction }) {
  const insert = 'INSERT INTO effects (id, conversation, number) VALUES ($1, $2, $3)'
  return behave(delivery, (effect) => transaction.query(insert, Object.values(effect)))
}

/** The effect is an entry of a list, and one script writes it with its mark. */
async function onRedis() {
  const { createDeliveryHandler } = await import('@webhook-receiver/core')
  const { Redis } = await import('ioredis')
  const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: null })
  const once = `if redis.call('SET', KEYS[1], 1, 'NX', 'EX', 86400) then redis.call('RPUSH', KEYS[2], ARGV[1]) end`
  const work = (delivery) =>
    behave(delivery, (effect) =>
      redis.eval(once, 2, `effect:${effect.id}`, 'effects', JSON.stringify(effect)),
    )
  return createDeliveryHandler({ any: work })
}

async function behave({ id, data: { instance_id: conversation, data } }, effect) {
  const fate = Math.random()
  await delay(Math.random() * 4)
  if (fate < 0.01 || data.number === undefined) throw new Error('The handler fails on purpose.')
  await effect({ id, conversation, number: data.number })
  await delay(Math.random() * 4)
  if (fate > 0.99) throw new Error('The handler fails on purpose, after its effect.')
}
