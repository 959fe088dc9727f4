import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Paystack. The secret key of the API signs, by SHA-512. The body has no id: `data.id` is that of a transaction, of which there are
 * several events.
 */
export const paystack: DefinedScheme<ServiceKind<'paystack', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'paystack',
    title: 'Paystack',
    documentation: 'https://paystack.com/docs/payments/webhooks/',
    checked: '2026-11-27',
    signature: { header: 'x-paystack-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha512', secret: 'text' }],
    secret: {
      called: 'the secret key of the API',
      several: 'test mode has its own',
      begins: 'sk_',
      mistaken: { pk_: 'the public key' },
    },
    signed: ['body'],
    event: [{ pointer: '/event' }],
    success: 200,
    retries: true,
  })
