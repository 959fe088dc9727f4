import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler, webhookMiddleware } from '@webhook-receiver/express'
import { describeSchemes } from '@webhook-receiver/suites'
import express from 'express'

// Below a mount, which cuts off a part of `req.url`.
describeSchemes('express', 'handler', ({ secret, now, path, work, options }) => {
  const router = express.Router()
  router.post('/', webhookHandler(secret, { any: work }, { now, onRejected: false, ...options }))
  return listening(createServer(express().use(path, router)))
})

describeSchemes('express', 'middleware', ({ secret, now, path, work, options }) => {
  const { duplicates: _, ...others } = options
  const app = express()
  const middleware = webhookMiddleware(secret, { now, onRejected: false, ...others })
  app.use(path, middleware, (req, res) => {
    const { delivery, verification } = req
    if (delivery) work(delivery, { verification } as never)
    res.sendStatus(204)
  })
  return listening(createServer(app))
})
