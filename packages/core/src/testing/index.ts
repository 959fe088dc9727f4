export { type DeliverOptions, type PreparedDelivery, prepareDelivery } from './prepare.ts'
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
