import { urls } from '../engine/urls.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * HubSpot, version 3 of its signatures. A body holds several events, so a delivery has no id and no event. The option `publicUrl` is the
 * target URL as registered.
 *
 * POST of a JSON array. It signs the URL with some characters decoded, such as `%3A` and `%40`; its SDK takes the URL literally, so both are
 * tried. Up to ten retries within 24 hours.
 */
export const hubspot: DefinedScheme<ServiceKind<'hubspot', 'none', 'none'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'hubspot',
      title: 'HubSpot',
      documentation:
        'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
      checked: '2026-11-26',
      signature: { header: 'x-hubspot-signature-v3', encoding: 'base64' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
      secret: {
        called: 'the client secret of the app',
        several: 'each app has its own: `appId` of an event names it',
        mistaken: { 'pat-': 'the access token of the app' },
      },
      requests: {
        recognised: { 'x-hubspot-request-timestamp': '', 'x-hubspot-signature-version': '' },
        weak: { 'x-hubspot-signature': 'a plain SHA-256' },
      },
      signed: [{ text: 'POST' }, 'url', 'body', 'timestamp'],
      urlDecoded: ":/?@!$'()*,;",
      timestamp: { at: { header: 'x-hubspot-request-timestamp' }, unit: 'ms', tolerance: 300 },
      patience: 5,
      retries: true,
    },
    { urls },
  )
