import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Square. The option `publicUrl` is the notification URL as registered.
 *
 * POST of a JSON object with one event, retried for 24 hours. Its SDK takes the URL literally.
 */
export const square: DefinedScheme<ServiceKind<'square', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'square',
    documentation: 'https://developer.squareup.com/docs/webhooks/step3validate',
    checked: '2026-11-25',
    signature: { header: 'x-square-hmacsha256-signature', encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    signed: ['url', 'body'],
    id: [{ pointer: '/event_id' }],
    event: [{ pointer: '/type' }],
    patience: 10,
    retries: true,
  })
