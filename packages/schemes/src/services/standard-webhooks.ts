import { handshakes } from '../engine/handshake.ts'
import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Standard Webhooks: HMAC-SHA256 with a `whsec_` secret (`v1`), Ed25519 with a `whpk_` key (`v1a`).
 *
 * POST, usually of JSON; the check of an endpoint by an MCP server is responded to. The specification asks senders to sign each attempt with its own timestamp. Its reference library takes a shared
 * secret without `whsec_`.
 */
export const standardWebhooks: DefinedScheme<ServiceKind<'standard-webhooks', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'standard-webhooks',
      documentation:
        'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
      checked: '2026-11-26',
      keys: [
        { algorithm: 'hmac-sha256', secret: 'base64', secretPrefix: 'whsec_', prefix: 'v1,' },
        { algorithm: 'ed25519', secret: 'base64', secretPrefix: 'whpk_', prefix: 'v1a,' },
      ],
      secret: {
        called: 'the signing secret of the endpoint',
        several: 'each endpoint has its own',
      },
      event: [{ pointer: '/type' }],
      // What an MCP server sends before it delivers events. Any less, and an event of another service could be taken for it.
      handshakes: [
        {
          name: 'verification',
          when: { '/type': 'verification' },
          begins: { header: 'webhook-id', text: 'msg_verification_' },
          exactly: true,
          response: { status: 200, echo: '/challenge', json: { challenge: 'echo' } },
        },
      ],
      retries: true,
    }),
    { handshakes, methods, privateKeys },
  )
