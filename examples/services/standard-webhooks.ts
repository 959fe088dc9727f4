import { diagnose } from '@webhook-receiver/diagnose'
import { type DeliveryStore, webhookHandler } from '@webhook-receiver/express'
import { standardWebhooks } from '@webhook-receiver/schemes'
import type { RequestHandler } from 'express'

/** The secret begins with `whsec_`, or is the public key of the service, which begins with `whpk_`. */
export function acmeWebhooks(store: DeliveryStore): RequestHandler {
  return webhookHandler(
    process.env.ACME_SECRET,
    {
      'contact.created': async ({ scheme, id, event }) => {
        console.log(JSON.stringify({ scheme, id, event }))
      },
    },
    // Many services sign like this: `endpoint` is which one the store's ids belong to.
    { scheme: standardWebhooks, endpoint: 'acme', store, diagnose },
  )
}
