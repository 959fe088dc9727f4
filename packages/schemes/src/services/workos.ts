import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * WorkOS. POST of a JSON object with one event. Its SDK takes 3 minutes.
 */
export const workos: DefinedScheme<ServiceKind<'workos', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'workos',
    title: 'WorkOS',
    documentation: 'https://workos.com/docs/events/data-syncing/webhooks',
    checked: '2026-11-26',
    signature: { header: 'workos-signature', encoding: 'hex', separator: ', ', field: 'v1' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the signing secret of the webhook endpoint',
      several: 'each endpoint has its own',
      mistaken: { sk_: 'an API key' },
    },
    requests: {
      others: [
        {
          body: '"object":"authentication_action_context"',
          is: 'an AuthKit action, which has its own secret and awaits a signed response',
        },
        {
          body: '"object":"user_registration_action_context"',
          is: 'an AuthKit action, which has its own secret and awaits a signed response',
        },
      ],
    },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { field: 't' }, unit: 'ms', tolerance: 180 },
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/event' }],
    success: 200,
    retries: true,
  })
