import type { WebhookEvent } from '@webhook-receiver/fastify'
import { deliverTo } from '@webhook-receiver/fastify/testing'
import Fastify from 'fastify'
import { expectTypeOf } from 'vitest'

const app = Fastify()

// The seven events are offered, and any other name is taken.
deliverTo(app, 'message.received')
deliverTo(app, 'message.reacted', { emoji: '👍' }, { path: '/hooks', tamper: 'alter' })
expectTypeOf(deliverTo(app, 'message.read')).toEqualTypeOf<Promise<Response>>()
expectTypeOf<Parameters<typeof deliverTo>[1]>().toEqualTypeOf<WebhookEvent | (string & {})>()

// @ts-expect-error an event has a name
deliverTo(app, 1)
// @ts-expect-error content is an object
deliverTo(app, 'message.read', 'hello')
// @ts-expect-error a misspelled option
deliverTo(app, 'message.read', {}, { secert: 'whsec_x' })
// @ts-expect-error no such tampering
deliverTo(app, 'message.read', {}, { tamper: 'forge' })

// Applications on another server, with another logger.
deliverTo(Fastify({ http2: true, logger: { level: 'warn' } }), 'message.read')
deliverTo(
  app.register(async () => {}),
  'message.read',
)
// @ts-expect-error an application can be injected into
deliverTo({}, 'message.read')
