import { diagnose } from '@webhook-receiver/diagnose'
import { type DeliveryStore, webhookHandler } from '@webhook-receiver/express'
import { stripe, typed } from '@webhook-receiver/schemes'
import type { RequestHandler } from 'express'
import type Stripe from 'stripe'

// Stripe's own types: a misspelt event does not compile.
type StripeEvents = { [Event in Stripe.Event as Event['type']]: Event }

/** The secret is that of the endpoint. The Stripe CLI prints another one. */
export function stripeWebhooks(store: DeliveryStore): RequestHandler {
  return webhookHandler(
    process.env.STRIPE_SECRET,
    {
      'invoice.paid': async ({ scheme, id, event, data }) => {
        const { amount_paid, currency } = data.data.object
        console.log(JSON.stringify({ scheme, id, event, amount_paid, currency }))
      },
    },
    { scheme: typed<StripeEvents>(stripe), store, diagnose },
  )
}
