import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

export default function ours(secret, take) {
  const app = express()
  app.post('/webhooks', webhookMiddleware(secret), (req, res) => {
    take(req.delivery)
    res.status(204).end()
  })
  return app
}
