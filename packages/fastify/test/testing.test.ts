import { webhookHandler } from '@webhook-receiver/fastify'
import { deliverTo } from '@webhook-receiver/fastify/testing'
import { describeTesting } from '@webhook-receiver/suites'
import Fastify from 'fastify'

const secret = 'whsec_fastify'

describeTesting({
  secret,
  deliverTo,
  create(work, seen) {
    const app = Fastify()
    app.addHook('onRequest', async ({ headers, url }, reply) => {
      reply.headers(seen(headers['x-tenant'], url))
    })
    return app.register(webhookHandler(secret, work, { url: '/hooks', onRejected: false }))
  },
})
