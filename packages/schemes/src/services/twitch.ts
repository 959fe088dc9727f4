import { handshakes } from '../engine/handshake.ts'
import { readPointer } from '../engine/place.ts'
import type { Rare } from '../engine/rare.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Twitch EventSub. The verification of a subscription is responded to. The event `revocation` says that a subscription has ended:
 * `data.subscription.type` names it, and `data.subscription.status` says why.
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
    { handshakes, rare: revocations },
  )

/** A subscription that ended sends its event too, so it gets another name: else that event's handler would run. The header that tells them apart is not signed. */
function revocations(scheme: Parameters<Rare>[0]): void {
  const { readBody } = scheme
  const own: Pick<typeof scheme, 'readBody'> = {
    readBody(...given) {
      const delivery = readBody(...given)
      const status = readPointer('/subscription/status', delivery.data)
      const isRevoked = typeof status === 'string' && status !== 'enabled'
      return isRevoked ? Object.assign(delivery, { event: 'revocation' }) : delivery
    },
  }
  Object.assign(scheme, own)
}
