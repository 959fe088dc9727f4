import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Lemon Squeezy. The body has no id: `data.id` is that of an order or a subscription.
 *
 * POST of a JSON object with one event, retried three times.
 */
export const lemonSqueezy: DefinedScheme<ServiceKind<'lemon-squeezy', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'lemon-squeezy',
    title: 'Lemon Squeezy',
    documentation: 'https://docs.lemonsqueezy.com/help/webhooks/signing-requests',
    checked: '2026-11-27',
    signature: { header: 'x-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the signing secret of the webhook',
      several: 'each webhook has its own, and so has test mode',
      mistaken: { eyJ: 'an API key' },
      chosen: true,
    },
    requests: { recognised: { 'x-event-name': '' } },
    signed: ['body'],
    event: [{ pointer: '/meta/event_name' }],
    success: 200,
    retries: true,
  })
