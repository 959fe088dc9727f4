import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * GoCardless. A body holds up to 250 events, so a delivery has no event; its id is that of the webhook, which older ones do not have.
 *
 * POST of a JSON object. Each event has an id of its own, which can come again in another body.
 */
export const gocardless: DefinedScheme<ServiceKind<'gocardless', 'signed or none', 'none'>> =
  /* @__PURE__ */ schemeOf({
    name: 'gocardless',
    title: 'GoCardless',
    documentation:
      'https://developer.gocardless.com/getting-started/api/staying-up-to-date-with-webhooks',
    checked: '2026-11-27',
    signature: { header: 'webhook-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the secret of the webhook endpoint',
      several: 'each endpoint has its own, and so has the sandbox',
      mistaken: { live_: 'an access token', sandbox_: 'an access token' },
      chosen: true,
    },
    requests: { recognised: { 'user-agent': 'gocardless-webhook-service/' } },
    signed: ['body'],
    id: [{ pointer: '/meta/webhook_id' }],
    idIsOptional: true,
    retries: true,
  })
