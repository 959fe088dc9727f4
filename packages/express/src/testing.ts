export {
  type DeliverOptions,
  type SampleOptions,
  type SignableDelivery,
  type SignedDelivery,
  type SignOptions,
  sampleDelivery,
  signDelivery,
  signedRequest,
  type Tampering,
  type WireDelivery,
} from '@webhook-receiver/core/testing'
// An Express application is a listener of node:http.
export { deliverTo } from '@webhook-receiver/node/testing'
