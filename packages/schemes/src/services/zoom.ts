import { handshakes } from '../engine/handshake.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Zoom. The secret is the secret token of the app; `endpoint.url_validation` is responded to. Deliveries have no id.
 *
 * POST of a JSON object. Three retries within 85 minutes, with which timestamp is not documented, so there is no window.
 */
export const zoom: DefinedScheme<ServiceKind<'zoom', 'none', 'event'>> = /* @__PURE__ */ schemeOf(
  {
    name: 'zoom',
    title: 'Zoom',
    documentation: 'https://developers.zoom.us/docs/api/webhooks',
    checked: '2026-11-25',
    signature: { header: 'x-zm-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'v0=' }],
    secret: {
      called: 'the secret token of the app, under Features',
      several: 'each app has its own',
    },
    requests: { recognised: { 'x-zm-request-timestamp': '' } },
    signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
    timestamp: { at: { header: 'x-zm-request-timestamp' }, unit: 's' },
    event: [{ pointer: '/event' }],
    handshakes: [
      {
        name: 'endpoint.url_validation',
        when: { '/event': 'endpoint.url_validation' },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          echo: '/payload/plainToken',
          json: { plainToken: 'echo', encryptedToken: 'mac' },
        },
      },
    ],
    patience: 3,
    retries: true,
  },
  { handshakes },
)
