import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Razorpay. It signs the body and nothing else: anyone who holds a signed body can change the id.
 *
 * POST of a JSON object with one event. Retried for 24 hours, after which the webhook is disabled.
 */
export const razorpay: DefinedScheme<ServiceKind<'razorpay', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'razorpay',
    title: 'Razorpay',
    documentation: 'https://razorpay.com/docs/webhooks/validate-test/',
    checked: '2026-11-26',
    signature: { header: 'x-razorpay-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the text in the field Secret of the webhook',
      several: 'test mode and live mode have their own webhooks',
      mistaken: { rzp_: 'the id of an API key' },
      chosen: true,
    },
    requests: {
      recognised: { 'x-razorpay-event-id': '' },
      signing: 'its webhook has no secret: fill in the field Secret',
    },
    signed: ['body'],
    id: [{ header: 'x-razorpay-event-id' }],
    event: [{ pointer: '/event' }],
    patience: 5,
    retries: true,
  })
