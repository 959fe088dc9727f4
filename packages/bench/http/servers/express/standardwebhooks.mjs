import express from 'express'
import { Webhook } from 'standardwebhooks'

/** As its README has it. */
export default function standardwebhooks(secret, take) {
  const webhook = new Webhook(secret)
  const app = express()
  app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
    try {
      take(webhook.verify(req.body, req.headers))
    } catch {
      return res.status(400).json({})
    }
    res.status(204).end()
  })
  return app
}
