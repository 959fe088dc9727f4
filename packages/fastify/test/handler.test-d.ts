import type { ForwardErrors, WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import { webhookHandler } from '@webhook-receiver/fastify'
import Fastify, { type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import { expectTypeOf } from 'vitest'

interface Own extends ForwardErrors {
  readonly url: string
}
type Expected = WebhookHandlerFor<FastifyRequest, FastifyPluginAsync, Own>
expectTypeOf(webhookHandler).toEqualTypeOf<Expected>()

const app = Fastify()
app.register(webhookHandler('whsec_x', { any() {} }, { url: '/webhooks' }))
// @ts-expect-error it was not called
app.register(webhookHandler)
