import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Mollie's webhooks of events. The classic ones, by the `webhookUrl` of a payment, are a form with an id, which nothing signs.
 *
 * POST of a JSON object with one event, for which Mollie waits 15 s.
 */
export const mollie: DefinedScheme<ServiceKind<'mollie', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'mollie',
    title: 'Mollie',
    documentation: 'https://docs.mollie.com/reference/webhooks-best-practices',
    checked: '2026-11-27',
    signature: { header: 'x-mollie-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: {
      called: 'the signing secret of the webhook',
      several: 'each webhook has its own, and so has test mode',
      mistaken: { live_: 'an API key', test_: 'an API key' },
    },
    requests: {
      recognised: { 'user-agent': 'Mollie' },
      signing: 'it is a classic webhook, never signed: use another route',
    },
    signed: ['body'],
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/type' }],
    success: 200,
    patience: 15,
    retries: true,
  })
