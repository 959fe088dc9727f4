import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { EVENT_FORMS } from '@webhook-receiver/aws-lambda/testing'
import { type Deviation, describeAdapter } from '@webhook-receiver/conformance'
import { PART } from '@webhook-receiver/tools/extent.mjs'
import { beforeAll, vi } from 'vitest'
import { serve } from './serving.ts'

// The handler that fails on purpose is printed on standard error.
beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())

const WAITS: Deviation = {
  saw: 'timeout',
  handlerRuns: 0,
  why: 'what is in front calls the function when the whole body is there, and this one never comes',
}

const LAST_COUNTS: Deviation = {
  saw: 'accepted',
  handlerRuns: 1,
  why: 'without multi-value headers a load balancer passes on the last line of a header only, which is right here',
}

const DEVIATIONS = {
  'declared-15-digits': WAITS,
  'declared-too-big': WAITS,
  'declared-unsigned': WAITS,
  'size-declared-unsigned': WAITS,
}

const SINGLE_VALUE_DEVIATIONS = {
  'dup-sig-same': LAST_COUNTS,
  'dup-ts-same': LAST_COUNTS,
  'signature-ten-times': LAST_COUNTS,
  'signature-twice': LAST_COUNTS,
  'signature-twice-two-cases': LAST_COUNTS,
  'signature-wrong-right': LAST_COUNTS,
  'timestamp-twice': LAST_COUNTS,
}

for (const form of EVENT_FORMS) {
  for (const base64 of [true, undefined]) {
    if (PART && !(base64 ? form === 'http-api' : form === 'alb')) continue
    describeAdapter(
      `aws-lambda, ${form}, ${base64 ? 'base64' : 'text'}`,
      ({ secret, now, path, onDelivery }) => {
        const handler = webhookHandler(secret, onDelivery, { now, onRejected: false })
        return serve(handler, path, { form, base64 })
      },
      { deviations: { ...DEVIATIONS, ...(form === 'alb' && SINGLE_VALUE_DEVIATIONS) } },
    )
  }
}
