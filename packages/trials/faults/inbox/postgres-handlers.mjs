// In place of handlers.js of the example: the effect is a row in the transaction.
import { createDeliveryHandler } from '@webhook-receiver/core'
import { behave } from './behaviour.mjs'
import { pool, store } from './database.js'

const INSERT = 'INSERT INTO effects (id, conversation, number) VALUES ($1, $2, $3)'

const transactional = (delivery, { transaction }) =>
  behave(delivery, ({ id, conversation, number }) =>
    transaction.query(INSERT, [id, conversation, number]),
  )

const naive = (delivery) =>
  behave(delivery, ({ id, conversation, number }) => pool.query(INSERT, [id, conversation, number]))

export const handle = process.env.NAIVE
  ? createDeliveryHandler({ any: naive })
  : createDeliveryHandler({ any: transactional }, { store, endpoint: 'worker' })
