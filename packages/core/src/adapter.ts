// For authors of adapters and of schemes that are functions: what an adapter for a framework needs, and what it exports once more, so
// that its import loads one file of core. `index.ts` has the interfaces of schemes.
export type { FormAdapter } from './adapter-form.ts'
export {
  type HandlerForm,
  type TypedWebhookHandlerFor,
  typedWebhookHandlerOf,
  type WebhookHandlerFor,
  webhookHandlerOf,
} from './adapter-handler.ts'
export {
  type MiddlewareForm,
  type WebhookMiddlewareFor,
  webhookMiddlewareOf,
} from './adapter-middleware.ts'
export type { DataOf } from './contract/delivery.ts'
export type { ContractKind } from './contract/event.ts'
export type { DeliveryFor } from './delivery.ts'
export { FORWARD_ERRORS, type ForwardErrors } from './forward-errors.ts'
export { reply } from './handling/reply.ts'
export { parseJson } from './parse/json.ts'
export type { NoSchemas } from './parse/schema.ts'
export type { AdapterReceiver } from './receiver.ts'
export { printHandlerFailure } from './reject/handler-failure.ts'
export { describeError, printError } from './reject/print-error.ts'
export { rejection } from './reject/rejection.ts'
export {
  closesConnection,
  isWebhookError,
  responseBody,
  WebhookError,
} from './reject/webhook-error.ts'
export {
  type Attached,
  type AttachedVerification,
  attach,
  type RequiredDelivery,
  requireAttached,
} from './request/attached.ts'
export { BodyBuffer } from './request/body-buffer.ts'
export { discardRest, discardStream } from './request/discard.ts'
export { closeAfterResponse } from './request/http2.ts'
export type { RemoteFacts } from './request/incoming.ts'
export { type ReadableBody, readStream } from './request/read-stream.ts'
export { type Reading, upTo } from './request/reading.ts'
export { responseTo } from './request/response-to.ts'
export { withoutOrigin } from './request/target.ts'
export { discardBody, readBody, receiveRequest } from './request/web-request.ts'
export type { ActionName, DeliveryNamed, EventOf } from './service-delivery.ts'
export { forgetDelivery } from './store/forget.ts'
export { memoryStore } from './store/memory-store.ts'
export { isCallable } from './validate/callable.ts'
export { assertCalled } from './validate/called.ts'
export { isBytes } from './validate/plain.ts'
export { toResponse } from './validate/response.ts'
export { numberRule, optional, type Rule, stringRule } from './validate/rule.ts'
export type { DuplicatesRequired } from './verify/duplicates.ts'
export type { Mac, MacHash, MacKey } from './verify/mac.ts'
export { mac } from './verify/runtime-mac.ts'
export {
  createWebhookHandling,
  type WebhookHandlers,
  type WebhookHandling,
} from './webhook-handling.ts'
