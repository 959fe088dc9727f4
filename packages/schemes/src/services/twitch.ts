import { handshakes } from '../engine/handshake.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Twitch EventSub. The verification of a subscription is responded to. A revocation has the event of its subscription, but no `event` in
 * `data`: `data.subscription.status` says why.
 *
 * POST of a JSON object. Twitch asks to reject what is older than 10 minutes. Its type of message is in a header that is not signed.
 */
export const twitch: DefinedScheme<ServiceKind<'twitch', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'twitch',
      title: 'Twitch',
      documentation: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
      checked: '2026-11-26',
      signature: { header: 'twitch-eventsub-message-signature', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
      secret: {
        called: 'the secret with which the subscription was created',
        several: 'each subscription has that with which it was created',
        chosen: true,
      },
      requests: { recognised: { 'twitch-eventsub-message-id': '' } },
      signed: [{ header: 'twitch-eventsub-message-id' }, 'timestamp', 'body'],
      timestamp: {
        at: { header: 'twitch-eventsub-message-timestamp' },
        unit: 'rfc3339',
        tolerance: 600,
      },
      id: [{ header: 'twitch-eventsub-message-id' }],
      event: [{ pointer: '/subscription/type' }],
      handshakes: [
        {
          name: 'webhook_callback_verification',
          when: { '/subscription/status': 'webhook_callback_verification_pending' },
          response: { status: 200, headers: { 'content-type': 'text/plain' }, echo: '/challenge' },
        },
      ],
      retries: true,
    },
    { handshakes },
  )
