// What an adapter for a framework needs besides createReceiver.
export type { Attached, AttachedVerification } from './attached.ts'
export { BodyBuffer } from './body-buffer.ts'
export { type DiscardableStream, discardRest, discardStream } from './discard.ts'
export { type ReadableBody, type ReadStreamOptions, readStream } from './read-stream.ts'
export { type RequiredDelivery, requireReceived } from './received.ts'
export { type Grounds, Refusal } from './refusal.ts'
export { discardBody, readBody } from './request.ts'
export { assertCalled } from './uncalled.ts'
