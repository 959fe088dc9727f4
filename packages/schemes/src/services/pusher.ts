import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Pusher Channels. A body holds several events, so a delivery has no id and no event.
 *
 * POST of a JSON object, retried for 5 minutes. `x-pusher-key`, which is not signed, says which of several secrets it is.
 */
export const pusher: DefinedScheme<ServiceKind<'pusher', 'none', 'none'>> =
  /* @__PURE__ */ schemeOf({
    name: 'pusher',
    title: 'Pusher',
    documentation: 'https://pusher.com/docs/channels/server_api/webhooks/',
    checked: '2026-11-26',
    signature: { header: 'x-pusher-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: { called: 'the secret of the app, under App Keys, and not its key' },
    requests: {
      recognised: { 'x-pusher-key': '' },
      others: [{ header: 'x-pusher-key', is: 'signed with the secret that belongs to this key' }],
    },
    signed: ['body'],
    patience: 4,
    retries: true,
  })
