import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Stripe. During a rotation it sends a signature for each secret.
 *
 * POST of a JSON object with one event, whole or thin. Each attempt is signed with its own timestamp.
 */
export const stripe: DefinedScheme<ServiceKind<'stripe', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'stripe',
    title: 'Stripe',
    documentation: 'https://docs.stripe.com/webhooks/signature',
    checked: '2026-11-25',
    signature: { header: 'stripe-signature', encoding: 'hex', separator: ',', field: 'v1' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the signing secret of the endpoint',
      begins: 'whsec_',
      several: 'each endpoint has its own, and so have test mode and `stripe listen`',
      mistaken: {
        sk_: 'an API key',
        rk_: 'a restricted API key',
        pk_: 'a publishable key',
        we_: 'the id of the endpoint',
        'https://': 'the URL of the endpoint',
      },
    },
    requests: {
      recognised: { 'user-agent': 'Stripe/' },
      others: [
        {
          body: '"livemode": false',
          is: 'of test mode, whose endpoints and `stripe listen` have their own secrets',
        },
        {
          body: '"account": "acct_',
          is: 'an event of a connected account, whose endpoints have their own secrets',
        },
      ],
    },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { field: 't' }, unit: 's', tolerance: 300 },
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/type' }],
    retries: true,
  })
