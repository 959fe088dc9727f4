// What an adapter for a framework needs: all of it in one entry, so that its import loads few files.

export { brand } from './copies/brand.ts'
export * from './handling/index.ts'
export * from './index.ts'
export type { RejectionDetails } from './reject/details.ts'
export { handlerFailed, printHandlerFailure } from './reject/handler-failure.ts'
export { escapeControls } from './reject/log-line.ts'
export { printError } from './reject/print-error.ts'
export { Refusal } from './reject/refusal.ts'
export { closesConnection } from './reject/webhook-error.ts'
export {
  type Attached,
  type AttachedVerification,
  attach,
  type RequiredDelivery,
  type Route,
  requireAttached,
} from './request/attached.ts'
export { BodyBuffer } from './request/body-buffer.ts'
export { type DiscardableStream, discardRest, discardStream } from './request/discard.ts'
export { closeAfterAnswer } from './request/http2.ts'
export { type ReadableBody, type ReadStreamOptions, readStream } from './request/read-stream.ts'
export { discardBody, readBody } from './request/web-request.ts'
export { assertCalled } from './validate/called.ts'
export { checkValue } from './validate/check-options.ts'
export { stringRule } from './validate/rule.ts'
