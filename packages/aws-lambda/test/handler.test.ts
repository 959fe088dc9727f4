import { deliveryHandler, webhookHandler } from '@webhook-receiver/aws-lambda'
import { describeHandler } from '@webhook-receiver/conformance'
import { serve } from './serving.ts'

describeHandler(
  'aws-lambda',
  ({ secret, now, path, handlers, options: { acknowledgeEarly: _, ...options } }) =>
    serve(
      webhookHandler(secret, deliveryHandler(handlers, options), { now, onRejected: false }),
      path,
    ),
  // 1,000 go through the same code in the suite of plain Node.
  { ids: 100 },
)
