export type { WireDelivery } from '../contract/envelope.ts'
export { sampleDelivery } from '../contract/sample.ts'
export { type DeliverOptions, type PreparedDelivery, prepareDelivery } from './prepare.ts'
export { signDelivery, signedRequest } from './sign.ts'
