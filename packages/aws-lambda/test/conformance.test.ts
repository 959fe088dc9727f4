import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { isChanged } from '@webhook-receiver/checks/changed.mjs'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { type Deviation, describeAdapter } from '@webhook-receiver/conformance'
import { describeHandler, describeOptions, describeSchemes } from '@webhook-receiver/suites'
import { beforeEach, vi } from 'vitest'
import { EVENT_FORMS } from '../src/to-event.ts'
import { DEVIATIONS, serve } from './serving.ts'

// The handler that fails on purpose is printed on standard error.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const LAST_COUNTS: Deviation = {
  saw: 'accepted',
  handlerRuns: 1,
  why: 'without multi-value headers a load balancer passes on the last line of a header only, which is right here',
}

// Of its sample.
const SINGLE_VALUE_DEVIATIONS = { 'signature-twice': LAST_COUNTS }

/** With PART, where the change touches nothing of Lambda: one form that joins header lines, and one that keeps the last. */
const FORMS =
  PART && !isChanged('packages/aws-lambda/') ? (['http-api', 'alb'] as const) : EVENT_FORMS

for (const form of FORMS) {
  for (const base64 of [true, undefined]) {
    describeAdapter(
      `aws-lambda, ${form}, ${base64 ? 'base64' : 'text'}`,
      ({ secret, now, path, onDelivery }) => {
        const handler = webhookHandler(secret, onDelivery, { now, onRejected: false })
        return serve(handler, path, { form, base64 })
      },
      {
        // All cases once; the forms differ in where the parts of a request are.
        sample: !(form === 'http-api' && base64),
        deviations: { ...DEVIATIONS, ...(form === 'alb' && SINGLE_VALUE_DEVIATIONS) },
      },
    )
  }
  // Its events and responses are those of an HTTP API.
  if (form === 'function-url') continue
  // A REST API decodes the query, so that the case of an escape is lost.
  const query = form === 'rest-api' ? 'a=1&b=%20%2F' : undefined
  for (const describeEach of [describeSchemes, describeOptions]) {
    describeEach(
      `aws-lambda, ${form}`,
      'handler',
      ({ secret, now, path, work, options }) => {
        const given = { now, onRejected: false, ...options } as const
        return serve(webhookHandler(secret, { any: work }, given), path, { form })
      },
      { query, whole: true },
    )
  }
}

describeHandler(
  'aws-lambda',
  ({ secret, now, path, handlers, options }) =>
    serve(webhookHandler(secret, handlers, { now, onRejected: false, ...options }), path),
  { deviations: DEVIATIONS },
)
