export { type PreparedDelivery, prepareDelivery } from './deliver.ts'
export type { DeliverOptions } from './deliver-options.ts'
export { type SampleOptions, sampleDelivery, type WireDelivery } from './sample.ts'
export {
  type SignableDelivery,
  type SignedDelivery,
  type SignedHeaders,
  type SignOptions,
  signDelivery,
  signedRequest,
} from './sign.ts'
export type { Tampering } from './tamper.ts'
