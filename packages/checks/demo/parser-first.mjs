// The mistake that everybody makes once: a body parser in front of the receiver.
import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

const app = express()
app.use(express.json())
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
  const { id, event, data } = req.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  res.sendStatus(204)
})

const server = app.listen(Number(process.env.PORT), () => {
  console.error(`Listening on http://localhost:${server.address().port}/webhooks`)
})
