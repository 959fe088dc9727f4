import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { describeHandler } from '@webhook-receiver/suites'
import { DEVIATIONS, serve } from './serving.ts'

describeHandler(
  'aws-lambda',
  ({ secret, now, path, handlers, options }) =>
    serve(webhookHandler(secret, handlers, { now, onRejected: false, ...options }), path),
  { deviations: DEVIATIONS },
)
