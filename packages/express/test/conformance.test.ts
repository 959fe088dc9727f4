import { createServer } from 'node:http'
import { describeAdapter, listening } from '@webhook-receiver/conformance'
import { requireDelivery, webhookMiddleware } from '@webhook-receiver/express'
import express, { type Express } from 'express'

describeAdapter('express, on a route', ({ secret, now, path, onDelivery }) => {
  const app = quiet()
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (req, res, next) => {
    await Promise.resolve(req.delivery)
      .then(onDelivery)
      .then(() => res.sendStatus(204), next)
  })
  return listening(createServer(app))
})

describeAdapter('express, at the root with a path', ({ secret, now, path, onDelivery }) => {
  const app = quiet()
  app.use(webhookMiddleware(secret, { path, now, onRejected: false }))
  app.post(path, async (req, res, next) => {
    await Promise.resolve(requireDelivery(req))
      .then(onDelivery)
      .then(() => res.sendStatus(204), next)
  })
  return listening(createServer(app))
})

/** An application whose default error handler does not print what this suite provokes. */
function quiet(): Express {
  return express().set('env', 'test')
}
