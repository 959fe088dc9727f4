import express from 'express'
import { Webhook } from 'svix'

/** As Svix's documentation has it; it gives nothing back, so the body is parsed behind it. */
export default function svix(secret, take) {
  const webhook = new Webhook(secret)
  const app = express()
  app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
    try {
      webhook.verify(req.body, req.headers)
      take(JSON.parse(req.body.toString()))
    } catch {
      return res.status(400).json({})
    }
    res.status(204).end()
  })
  return app
}
