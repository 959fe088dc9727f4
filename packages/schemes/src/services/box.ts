import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Box, version 2 of its webhooks. The secret is the primary signature key; the signature by the secondary key is not looked at.
 *
 * POST of a JSON object with one event. Box asks to reject what is older than 10 minutes. Up to ten retries, each with its own timestamp.
 * Its SDK also takes the signature of the body with its other characters escaped.
 */
export const box: DefinedScheme<ServiceKind<'box', 'signed', 'event'>> = /* @__PURE__ */ schemeOf({
  name: 'box',
  title: 'Box',
  documentation: 'https://developer.box.com/guides/webhooks/v2/signatures-v2/',
  checked: '2026-11-26',
  signature: { header: 'box-signature-primary', encoding: 'base64' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  secret: {
    called: 'the primary signature key of the app',
    several: 'each app has its own, and its secondary key is not looked at',
  },
  requests: {
    recognised: { 'box-delivery-id': '' },
    signing: 'generate the primary signature key of its app',
  },
  signed: ['body', 'timestamp'],
  timestamp: { at: { header: 'box-delivery-timestamp' }, unit: 'rfc3339', tolerance: 600 },
  id: [{ pointer: '/id' }],
  event: [{ pointer: '/trigger' }],
  retries: true,
})
