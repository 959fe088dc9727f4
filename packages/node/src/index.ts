export {
  createReceiver,
  type NoSchemas,
  type ReceiverOptions,
} from '@webhook-receiver/core/adapter'
export * from '@webhook-receiver/core/application'
export { cutShort, refuse } from './answer.ts'
export { captureRawBody, findRawBody } from './captured-body.ts'
export { showCause } from './cause.ts'
export { type Framework, type IncomingReceiver, incomingReceiver } from './exchange.ts'
export { deliveryHandler } from './handler.ts'
export {
  type ListenerExchange,
  type ListenerOptions,
  type WebhookListener,
  webhookListener,
} from './listener.ts'
export { type PathMatcher, pathMatcher } from './path.ts'
