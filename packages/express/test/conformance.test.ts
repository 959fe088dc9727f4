import { createServer } from 'node:http'
import { type AdapterSetup, describeAdapter, listening } from '@webhook-receiver/conformance'
import { webhookMiddleware } from '@webhook-receiver/express'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import express, { type Express } from 'express'

function application({ secret, now, path, onDelivery }: AdapterSetup): Express {
  // Its default error handler does not print what these suites cause.
  const app = express().set('env', 'test')
  app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (req, res, next) => {
    await Promise.resolve(req.delivery)
      .then(onDelivery)
      .then(() => res.sendStatus(204), next)
  })
  return app
}

describeAdapter('express', (setup) => listening(createServer(application(setup))))

describeMisbehavingClients('express', (setup) =>
  listening(createServer(SHORT_TIMEOUTS, application(setup))),
)
