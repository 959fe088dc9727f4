import express from 'express'
import Stripe from 'stripe'

/** As Stripe's documentation has it. */
export default function stripe(secret, take) {
  const { webhooks } = new Stripe('sk_test_none')
  const app = express()
  app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
    try {
      take(webhooks.constructEvent(req.body, req.headers['stripe-signature'], secret))
    } catch (error) {
      return res.status(400).send(`Webhook Error: ${error.message}`)
    }
    res.status(204).end()
  })
  return app
}
