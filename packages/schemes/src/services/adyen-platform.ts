import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Adyen's webhooks that sign the whole body in a header: of platforms, issuing, management and tokenization. A body has no id; standard
 * webhooks of payments have their signature in the body.
 */
export const adyenPlatform: DefinedScheme<ServiceKind<'adyen-platform', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'adyen-platform',
    title: 'Adyen',
    documentation:
      'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
    checked: '2026-11-27',
    signature: { header: 'hmacsignature', encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'hex' }],
    secret: {
      called: 'the HMAC key of the webhook, in hexadecimal digits',
      several: 'each webhook has its own, and so have test and live',
    },
    requests: {
      recognised: { protocol: 'HmacSHA256' },
      signing: 'add an HMAC key to it; payments sign in another way',
    },
    signed: ['body'],
    event: [{ pointer: '/type' }],
    patience: 10,
    retries: true,
  })
