import express from 'express'

/** Express and its own JSON parser, without any verification. */
export default function floor(_secret, take) {
  const app = express()
  app.post('/webhooks', express.json({ limit: '1mb' }), (req, res) => {
    take(req.body)
    res.status(204).end()
  })
  return app
}
