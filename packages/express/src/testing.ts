export { type DeliverOptions, sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
// An Express application is a listener of node:http.
export { deliverTo } from '@webhook-receiver/node/testing'
