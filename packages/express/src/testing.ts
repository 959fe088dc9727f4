export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
// Applications of Express are listeners of node:http.
export { deliverTo } from '@webhook-receiver/node/testing'
