import { forms } from '../engine/form.ts'
import { handshakes } from '../engine/handshake.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Slack: events, slash commands and interactions. `url_verification` is responded to.
 *
 * POST of JSON, or of a form: a command has its fields, an interaction JSON in `payload`. Its SDK reads the fields by the Content-Type,
 * which is not signed. `ssl_check` comes unsigned.
 */
export const slack: DefinedScheme<ServiceKind<'slack', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'slack',
      title: 'Slack',
      documentation: 'https://docs.slack.dev/authentication/verifying-requests-from-slack',
      checked: '2026-11-25',
      signature: { header: 'x-slack-signature', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'v0=' }],
      secret: {
        called: 'the signing secret of the app, under Basic Information',
        several: 'each app has its own: `api_app_id` in the body names it',
        mistaken: {
          'xoxb-': 'the bot token',
          'xoxp-': 'a user token',
          'xapp-': 'an app-level token',
          xoxe: 'a refresh token',
        },
      },
      requests: {
        recognised: { 'user-agent': 'Slackbot ' },
        signing: 'it is an unsigned `ssl_check`; else let proxies pass it',
      },
      signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
      timestamp: { at: { header: 'x-slack-request-timestamp' }, unit: 's', tolerance: 300 },
      // Some interactions have no id; every other signature is another delivery.
      id: [
        { pointer: '/event_id' },
        { pointer: '/trigger_id', form: '/' },
        { header: 'x-slack-signature' },
      ],
      event: [{ pointer: '/event/type' }, { pointer: '/type' }, { pointer: '/command', form: '/' }],
      body: 'json or form',
      jsonField: 'payload',
      handshakes: [
        {
          name: 'url_verification',
          when: { '/type': 'url_verification' },
          response: { status: 200, headers: { 'content-type': 'text/plain' }, echo: '/challenge' },
        },
      ],
      success: 200,
      patience: 3,
      retries: true,
    },
    { forms, handshakes },
  )
