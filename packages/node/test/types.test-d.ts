import type { IncomingMessage, RequestListener } from 'node:http'
import type { WebhookHandlerFor } from '@webhook-receiver/core/adapter'
import { type NodeHandler, webhookHandler } from '@webhook-receiver/node'
import { expectTypeOf } from 'vitest'

interface Own {
  readonly path?: string | undefined
}
expectTypeOf(webhookHandler).toEqualTypeOf<WebhookHandlerFor<IncomingMessage, NodeHandler, Own>>()
expectTypeOf<NodeHandler>().toExtend<RequestListener>()

// @ts-expect-error a path that is not a string
webhookHandler('whsec_x', { any() {} }, { path: /webhooks/ })
