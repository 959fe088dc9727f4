import { handshakes } from '../engine/handshake.ts'
import { subscriptions } from '../engine/subscriptions.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * MCP Events: what an MCP server sends to a webhook (SEP-3415). The secret of each subscription is made by who subscribes, and found by
 * the header `X-MCP-Subscription-Id`: pass `{ secretsOf, pending }`. The check of the endpoint is responded to.
 *
 * POST of a JSON object: an event, or `gap` and `terminated`, which are events of their own here. Each attempt has a new signature. The id is
 * the `eventId`, since drafts differ in whether `webhook-id` is that or one of the message.
 */
export const mcpEvents: DefinedScheme<ServiceKind<'mcp-events', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'mcp-events',
      title: 'MCP Events',
      documentation: 'https://modelcontextprotocol.io/seps/3415-events-extension',
      revision: 'SEP-3415 of 2026-10, for protocol 2026-07-28',
      checked: '2026-11-27',
      secret: {
        called: 'the secret that was sent in `delivery.secret` when subscribing',
        several: 'each subscription has its own: the header X-MCP-Subscription-Id names it',
      },
      requests: { recognised: { 'x-mcp-subscription-id': '' } },
      subscription: { header: 'x-mcp-subscription-id' },
      id: [{ pointer: '/eventId' }, { header: 'webhook-id' }],
      event: [{ pointer: '/type', events: ['gap', 'terminated'] }, { pointer: '/name' }],
      handshakes: [
        {
          name: 'verification',
          when: { '/type': 'verification' },
          response: { status: 200, echo: '/challenge', json: { challenge: 'echo' } },
        },
      ],
      patience: 5,
      retries: true,
    }),
    { handshakes, subscriptions },
  )
