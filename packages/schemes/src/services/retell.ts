import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Retell. The secret is the API key with the webhook badge. A delivery has no id.
 *
 * POST of a JSON object with one event, with up to three retries.
 */
export const retell: DefinedScheme<ServiceKind<'retell', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'retell',
    title: 'Retell',
    documentation: 'https://docs.retellai.com/features/secure-webhook',
    checked: '2026-11-26',
    signature: { header: 'x-retell-signature', encoding: 'hex', separator: ',', field: 'd' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the API key that has the webhook badge',
      begins: 'key_',
    },
    signed: ['body', 'timestamp'],
    timestamp: { at: { field: 'v' }, unit: 'ms', tolerance: 300 },
    event: [{ pointer: '/event' }],
    patience: 10,
    retries: true,
    largest: 33_554_432,
  })
