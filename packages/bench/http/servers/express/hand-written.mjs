import express from 'express'
import { signatureMatches } from '../textbook.mjs'

/** What tutorials show: the bytes by express.raw, then createHmac and timingSafeEqual, then JSON.parse. */
export default function handWritten(secret, take) {
  const app = express()
  app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
    const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = req.headers
    if (!signatureMatches(secret, timestamp, req.body, signature)) return res.sendStatus(401)
    take(JSON.parse(req.body.toString()))
    res.status(204).end()
  })
  return app
}
