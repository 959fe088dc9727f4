import { type Delivery, webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

declare module '@webhook-receiver/express' {
  interface EventData {
    'message.received': { readonly text: string }
  }
}

express().post('/webhooks', webhookMiddleware('whsec_typed'), (req) => textOf(req.delivery))

function textOf(delivery: Delivery): string {
  if (!delivery.known || delivery.event !== 'message.received') return ''
  // @ts-expect-error not in the content of this event
  delivery.data.data.texts
  return delivery.data.data.text.trim()
}
