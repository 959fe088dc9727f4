import { createServer } from 'node:http'
import {
  describeMisbehavingClients,
  listening,
  SHORT_TIMEOUTS,
} from '@webhook-receiver/conformance'
import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

describeMisbehavingClients('express', ({ secret, now, path, onDelivery }) => {
  // Else its default error handler prints what this suite provokes.
  const app = express().set('env', 'test')
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (req, res, next) => {
    await Promise.resolve(req.delivery)
      .then(onDelivery)
      .then(() => res.sendStatus(204), next)
  })
  return listening(createServer(SHORT_TIMEOUTS, app))
})
