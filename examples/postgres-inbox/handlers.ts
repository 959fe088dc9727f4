import { createDeliveryHandler } from '@webhook-receiver/core'
import { store } from './database.js'

/**
 * One function for each event. What it writes with `transaction` happens once: it is committed with the mark that the
 * delivery was handled. If it throws an error, nothing is committed, and it is run again.
 */
export const handle = createDeliveryHandler(
  {
    'message.received': async ({ data }, { transaction }) => {
      const { rows } = await transaction.query('SELECT now()')
      console.error('A message at', rows[0].now, 'with', Object.keys(data.data))
    },
    any: async ({ event }) => console.error('Nothing to do for', event),
  },
  // The server marks the same delivery under another name. What takes longer than 25 seconds has failed: without a limit, a
  // handler that hangs would hold up its conversation for ever.
  { store, endpoint: 'worker', timeout: 25 },
)
