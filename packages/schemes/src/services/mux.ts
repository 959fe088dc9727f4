import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/** Mux. POST of a JSON object with one event. Its SDK takes 5 minutes. */
export const mux: DefinedScheme<ServiceKind<'mux', 'signed', 'event'>> = /* @__PURE__ */ schemeOf({
  name: 'mux',
  title: 'Mux',
  documentation: 'https://www.mux.com/docs/core/verify-webhook-signatures',
  checked: '2026-11-26',
  signature: { header: 'mux-signature', encoding: 'hex', separator: ',', field: 'v1' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  secret: {
    called: 'the signing secret of the webhook',
    several: 'each environment has its own webhooks: `environment` in the body names it',
  },
  signed: ['timestamp', { text: '.' }, 'body'],
  timestamp: { at: { field: 't' }, unit: 's', tolerance: 300 },
  id: [{ pointer: '/id' }],
  event: [{ pointer: '/type' }],
  retries: true,
})
