import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Dodo Payments, as Standard Webhooks describes. POST of a JSON object with one event; after a rotation the older secret signs for 24 hours. */
export const dodo: DefinedScheme<ServiceKind<'dodo', 'signed', 'event'>> = /* @__PURE__ */ schemeOf(
  /* @__PURE__ */ standard({
    name: 'dodo',
    title: 'Dodo Payments',
    documentation: 'https://docs.dodopayments.com/developer-resources/webhooks',
    checked: '2026-11-27',
    secret: {
      called: 'the secret key of the webhook',
      several: 'each webhook has its own, and so has test mode',
      begins: 'whsec_',
    },
    event: [{ pointer: '/type' }],
    retries: true,
  }),
)
