import { forms } from '../engine/form.ts'
import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Telnyx, version 2 of its webhooks. The secret is the public key of the account.
 *
 * POST of a JSON object with one event, or of a form from TeXML. Most events have id and name in `data`, and some at the top; clicks on
 * links have neither, campaigns and forms have no id. A voice application can be set to GET, which is not accepted. Without a response of 2xx the second URL
 * gets the request.
 */
export const telnyx: DefinedScheme<ServiceKind<'telnyx', 'signed or none', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'telnyx',
      title: 'Telnyx',
      documentation:
        'https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks',
      checked: '2026-11-26',
      signature: { header: 'telnyx-signature-ed25519', encoding: 'base64' },
      keys: [{ algorithm: 'ed25519', secret: 'base64' }],
      secret: {
        called: 'the public key of the account, under Keys and Credentials',
        mistaken: { KEY0: 'an API key' },
      },
      requests: {
        recognised: { 'telnyx-timestamp': '' },
        others: [
          {
            header: 'x-meeting-bot-signature',
            unsigned: true,
            is: "of a meeting, which its session's `webhook_secret` signs: use another URL",
          },
        ],
        post: 'set `webhook_url_method` of the application to POST',
      },
      signed: ['timestamp', { text: '|' }, 'body'],
      timestamp: { at: { header: 'telnyx-timestamp' }, unit: 's', tolerance: 300 },
      id: [{ pointer: '/data/id' }, { pointer: '/id' }],
      idIsOptional: true,
      event: [
        { pointer: '/data/event_type' },
        { pointer: '/event_type' },
        { pointer: '/event' },
        { pointer: '/type' },
        { pointer: '/CallStatus' },
      ],
      body: 'json or form',
      retries: true,
    },
    { forms, methods, privateKeys },
  )
