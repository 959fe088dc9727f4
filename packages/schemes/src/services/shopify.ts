import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Shopify. It signs the body and nothing else: anyone who holds a signed body can change the id and the topic.
 *
 * POST of JSON. Subscriptions of its newer Events send their headers without `x-`; its SDK takes both sets.
 */
export const shopify: DefinedScheme<ServiceKind<'shopify', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'shopify',
    title: 'Shopify',
    documentation: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
    checked: '2026-11-25',
    signature: { header: ['x-shopify-hmac-sha256', 'shopify-hmac-sha256'], encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the client secret of the app',
      several:
        'webhooks that were made in the admin of a store are signed with the secret that is shown there',
      mistaken: {
        shpat_: 'an access token',
        shpca_: 'an access token',
        shptka_: 'an access token',
      },
    },
    requests: {
      recognised: { 'x-shopify-topic': '', 'shopify-topic': '' },
      others: [
        {
          header: 'x-shopify-test',
          begins: 'true',
          is: "a test of the admin, signed with the secret below the store's webhooks",
        },
      ],
    },
    signed: ['body'],
    id: [{ header: ['x-shopify-webhook-id', 'shopify-webhook-id'] }],
    event: [{ header: ['x-shopify-topic', 'shopify-topic'] }],
    success: 200,
    patience: 5,
    retries: true,
    largest: 33_554_432,
  })
