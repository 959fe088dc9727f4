import { handshakes } from '../engine/handshake.ts'
import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Discord interactions. The secret is the public key of the application; PING is responded to. The event is the number of the type. A
 * handler responds to the user through Discord's callback endpoint; behind the middleware, your own response can do it.
 *
 * POST of a JSON object with a signed id. Not retried.
 */
export const discordInteractions: DefinedScheme<
  ServiceKind<'discord-interactions', 'signed', 'event'>
> = /* @__PURE__ */ schemeOf(
  {
    name: 'discord-interactions',
    title: 'Discord',
    documentation: 'https://docs.discord.com/developers/interactions/receiving-and-responding',
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
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/type' }],
    handshakes: [
      {
        name: 'PING',
        when: { '/type': 1 },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          json: { type: 1 },
        },
      },
    ],
    decision: true,
    // A file comes with its JSON in a form; 202 says that the callback endpoint has got the response.
    replies: {
      statuses: { 200: ['application/json', 'multipart/form-data'], 202: [] },
      instead: 'Report an error to the user in a message, with 200.',
    },
    success: 202,
    patience: 3,
    retries: false,
  },
  { handshakes, methods, privateKeys },
)
