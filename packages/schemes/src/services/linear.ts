import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/** Linear. The timestamp is in the signed body; the delivery id is in a header that is not signed. */
export const linear: DefinedScheme<ServiceKind<'linear', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'linear',
    documentation: 'https://linear.app/developers/webhooks',
    checked: '2026-11-23',
    signature: { header: 'linear-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    signed: ['body'],
    timestamp: { at: { pointer: '/webhookTimestamp' }, unit: 'ms', tolerance: 28_800 },
    id: [{ header: 'linear-delivery' }],
    event: [{ pointer: '/type' }],
    success: 200,
    patience: 5,
    retries: true,
  })
