import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Notion. It signs the body and nothing else. The secret is in the first request, which is not signed: read it there, and confirm it at
 * Notion.
 *
 * POST of a JSON object with one event, which names what has changed. Its SDK takes digits in upper case too.
 */
export const notion: DefinedScheme<ServiceKind<'notion', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'notion',
    title: 'Notion',
    documentation: 'https://developers.notion.com/reference/webhooks',
    checked: '2026-11-26',
    signature: { header: 'x-notion-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: {
      called: 'the `verification_token` of the subscription',
      several: 'each subscription has its own: `subscription_id` in the body names it',
      begins: 'secret_',
      mistaken: { ntn_: 'the token of the connection' },
    },
    requests: {
      signing: 'confirm its `verification_token` there, and pass it here',
      secretAt: { pointer: '/verification_token' },
    },
    signed: ['body'],
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/type' }],
    retries: true,
  })
