import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { webhookHandler, webhookMiddleware } from '@webhook-receiver/fastify'
import { describeSchemes } from '@webhook-receiver/suites'
import Fastify from 'fastify'

// Below a prefix.
describeSchemes('fastify', 'handler', async ({ secret, now, path, work, options }) => {
  const handler = webhookHandler(
    secret,
    { any: work },
    { url: '/', now, onRejected: false, ...options },
  )
  const app = Fastify().register(handler, { prefix: path })
  await app.ready()
  return listening(createServer(app.routing))
})

describeSchemes('fastify', 'middleware', async ({ secret, now, path, work, options }) => {
  const { duplicates: _, ...others } = options
  const app = Fastify()
  app.register(async (scope) => {
    await scope.register(webhookMiddleware(secret, { now, onRejected: false, ...others }))
    scope.post(path, async ({ delivery, verification }, reply) => {
      work(Object(delivery), Object({ verification }))
      return reply.code(204).send()
    })
  })
  await app.ready()
  return listening(createServer(app.routing))
})
