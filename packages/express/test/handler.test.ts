import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler } from '@webhook-receiver/express'
import { describeHandler, describeRejections } from '@webhook-receiver/suites'
import express from 'express'

describeHandler('express', ({ secret, now, path, handlers, options }) => {
  const app = express()
  app.post(path, webhookHandler(secret, handlers, { now, onRejected: false, ...options }))
  return listening(createServer(app))
})

describeRejections('express, webhookHandler', ({ secret, path, headers, options }) => {
  const app = express().use((_req, res, next) => next(void res.set(headers)))
  app.all(path, webhookHandler(secret, { any: () => {} }, options))
  return listening(createServer(app))
})
