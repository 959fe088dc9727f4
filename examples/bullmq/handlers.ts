import { createDeliveryHandler } from '@webhook-receiver/core'

/** One function for each event. If it throws an error, or its worker is killed, it is run again. */
export const handle = createDeliveryHandler(
  {
    'message.received': async ({ data }) =>
      console.error('A message, with', Object.keys(data.data)),
    any: async ({ event }) => console.error('Nothing to do for', event),
  },
  // What takes longer has failed. Without a limit, a handler that hangs would hold up its lane for ever.
  { timeout: 25 },
)
