// In place of handlers.js of the example: copied beside its worker. A run in a hundred fails before its effect, another behind it.
import { setTimeout as delay } from 'node:timers/promises'
import { createDeliveryHandler } from '@webhook-receiver/core'

const { DATABASE_URL, REDIS_URL } = process.env

export const handle = await (DATABASE_URL ? onPostgres() : onRedis())

/** The effect is a row in the transaction. */
async function onPostgres() {
  const { store } = await import('./database.js')
  const insert = 'INSERT INTO effects (id, conversation, number) VALUES ($1, $2, $3)'
  const work = (delivery, { transaction }) =>
    behave(delivery, (effect) => transaction.query(insert, Object.values(effect)))
  return createDeliveryHandler({ any: work }, { store, endpoint: 'worker' })
}

/** The effect is an entry of a list, and one script writes it with its mark. */
async function onRedis() {
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
  if (fate < 0.01) throw new Error('The handler fails on purpose.')
  await effect({ id, conversation, number: data.number })
  await delay(Math.random() * 4)
  if (fate > 0.99) throw new Error('The handler fails on purpose, after its effect.')
}
