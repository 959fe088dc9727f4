import { handshakes } from '../engine/handshake.ts'
import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Discord webhook events, not interactions. The secret is the public key of the application; PING is responded to.
 *
 * POST of a JSON object with one event and no id. Without 204 within 3 s it retries for 10 minutes, with which timestamp is not
 * documented, so there is no window. It sends wrong signatures on purpose, to see them rejected.
 */
export const discordEvents: DefinedScheme<ServiceKind<'discord-events', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'discord-events',
      title: 'Discord',
      documentation: 'https://docs.discord.com/developers/events/webhook-events',
      checked: '2026-11-25',
      signature: { header: 'x-signature-ed25519', encoding: 'hex' },
      keys: [{ algorithm: 'ed25519', secret: 'hex' }],
      secret: {
        called:
          'the public key of the application, 64 hexadecimal digits, and not its bot token or id',
        several: 'each application has its own: `application_id` in the body names it',
      },
      requests: { recognised: { 'x-signature-timestamp': '' } },
      signed: ['timestamp', 'body'],
      timestamp: { at: { header: 'x-signature-timestamp' }, unit: 's' },
      event: [{ pointer: '/event/type' }],
      handshakes: [
        {
          name: 'PING',
          when: { '/type': 0 },
          response: { status: 204, headers: { 'content-type': 'application/json' } },
        },
      ],
      patience: 3,
      retries: true,
    },
    { handshakes, methods, privateKeys },
  )
