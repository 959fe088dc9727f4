import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Coinbase Commerce. POST of a JSON object with one event in `event`, whose id is the same in each attempt; the `id` beside it is that of
 * the attempt.
 */
export const coinbaseCommerce: DefinedScheme<ServiceKind<'coinbase-commerce', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'coinbase-commerce',
    title: 'Coinbase Commerce',
    documentation: 'https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-security',
    checked: '2026-11-27',
    signature: { header: 'x-cc-webhook-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the shared secret of the webhooks, under Settings and Notifications',
      several: 'each account has one',
    },
    signed: ['body'],
    id: [{ pointer: '/event/id' }],
    event: [{ pointer: '/event/type' }],
    success: 200,
    retries: true,
  })
