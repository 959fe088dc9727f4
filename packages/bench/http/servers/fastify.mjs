import { webhookMiddleware } from '@webhook-receiver/fastify'
import Fastify from 'fastify'
import { signatureMatches } from '../../verification/plain.mjs'
import { BODY } from '../subjects.mjs'

/** By name: a request listener that verifies with `secret` and calls `take` with the delivery. */
export const servers = {
  'JSON parser': (_secret, take) =>
    listener((app) => {
      app.post('/webhooks', async (request, reply) => {
        take(request.body)
        reply.code(204)
      })
    }),

  'webhook-receiver': (secret, take) =>
    receiver(secret, async (request, reply) => {
      take(request.delivery)
      reply.code(204)
    }),

  'webhook-receiver, with a body': (secret, take) =>
    receiver(secret, async (request) => {
      take(request.delivery)
      return BODY
    }),

  'plain node:crypto': (secret, take) =>
    listener((app) => {
      const keepBytes = (_request, body, done) => done(null, body)
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, keepBytes)
      app.post('/webhooks', async ({ headers, body }, reply) => {
        const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = headers
        const valid = signatureMatches(secret, timestamp, body, signature)
        if (valid) take(JSON.parse(body.toString()))
        reply.code(valid ? 204 : 401)
      })
    }),
}

function receiver(secret, handler) {
  return listener((app) => {
    app.register(async (scope) => {
      await scope.register(webhookMiddleware(secret))
      scope.post('/webhooks', handler)
    })
  })
}

async function listener(addRoutes) {
  const app = Fastify()
  addRoutes(app)
  await app.ready()
  return app.routing
}
