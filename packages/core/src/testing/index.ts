export { type SampleOptions, sampleDelivery, type WireDelivery } from './sample.ts'
export {
  type SignableDelivery,
  type SignedDelivery,
  type SignedHeaders,
  type SignOptions,
  signDelivery,
  signedRequest,
} from './sign.ts'
