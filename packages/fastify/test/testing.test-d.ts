import { deliverTo } from '@webhook-receiver/fastify/testing'
import Fastify from 'fastify'

const app = Fastify()

// Applications on another server, with another logger.
deliverTo(Fastify({ http2: true, logger: { level: 'warn' } }), 'message.read')
deliverTo(
  app.register(async () => {}),
  'message.read',
)
// @ts-expect-error an application can be injected into
deliverTo({}, 'message.read')
