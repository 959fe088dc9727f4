import { middleware } from '@line/bot-sdk'
import express from 'express'

export default function line(channelSecret, take) {
  const app = express()
  app.post('/webhooks', middleware({ channelSecret }), (req, res) => {
    take(req.body)
    res.status(204).end()
  })
  return app
}
