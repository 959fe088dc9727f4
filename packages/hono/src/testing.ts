// A Hono application has a `fetch`.
export {
  type DeliverOptions,
  deliverTo,
  sampleDelivery,
  signDelivery,
} from '@webhook-receiver/core/testing'
