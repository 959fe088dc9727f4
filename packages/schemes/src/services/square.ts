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
    title: 'Square',
    documentation: 'https://developer.squareup.com/docs/webhooks/step3validate',
    checked: '2026-11-25',
    signature: { header: 'x-square-hmacsha256-signature', encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the signature key of the webhook subscription',
      mistaken: { EAAA: 'an access token', sq0: 'the id or the secret of an application' },
    },
    requests: {
      recognised: { 'square-environment': '' },
      weak: { 'x-square-signature': 'SHA-1' },
      others: [
        {
          header: 'square-environment',
          begins: 'Sandbox',
          is: 'an event of the sandbox, whose subscriptions have their own signature keys',
        },
        {
          header: 'square-environment',
          begins: 'Production',
          is: 'an event of production, whose subscriptions have their own signature keys',
        },
      ],
    },
    signed: ['url', 'body'],
    id: [{ pointer: '/event_id' }],
    event: [{ pointer: '/type' }],
    patience: 10,
    retries: true,
  })
