import { rare } from '../engine/rare.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Asana. A body holds several events, or none as a sign of life, so a delivery has no id and no event. The secret of a webhook comes in its
 * first request, which is not signed: see the option `expectSecret`.
 */
export const asana: DefinedScheme<ServiceKind<'asana', 'none', 'none'>> = /* @__PURE__ */ schemeOf(
  {
    name: 'asana',
    title: 'Asana',
    documentation: 'https://developers.asana.com/docs/webhooks-guide',
    checked: '2026-11-27',
    signature: { header: 'x-hook-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the `X-Hook-Secret` that came when the webhook was made',
      several: 'each webhook has its own',
      mistaken: { '1/': 'an access token', '2/': 'an access token' },
    },
    requests: {
      others: [
        {
          header: 'x-hook-secret',
          unsigned: true,
          is: 'the first of a new webhook, with its secret: `expectSecret` saves it',
        },
      ],
      secretAt: { header: 'x-hook-secret', echo: true },
    },
    signed: ['body'],
    secretOffer: 'x-hook-secret',
    patience: 10,
    retries: true,
  },
  { rare },
)
