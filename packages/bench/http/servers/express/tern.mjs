import { createWebhookMiddleware } from '@hookflo/tern/express'
import express from 'express'

/** With Stripe's scheme, which signs a time as well. */
export default function tern(secret, take) {
  const app = express()
  app.post('/webhooks', createWebhookMiddleware({ platform: 'stripe', secret }), (req, res) => {
    take(req.webhook.payload)
    res.status(204).end()
  })
  return app
}
