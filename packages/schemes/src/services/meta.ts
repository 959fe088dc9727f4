import { rare } from '../engine/rare.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Meta: WhatsApp, Messenger, Instagram and the others of its Graph API. A body can hold several changes, so a delivery has no id.
 *
 * POST of a JSON object of up to 3 MB, and an unsigned GET with `hub.challenge` that checks the URL. Retried for days, without a
 * timestamp.
 */
export const meta: DefinedScheme<ServiceKind<'meta', 'none', 'event'>> = /* @__PURE__ */ schemeOf(
  {
    name: 'meta',
    title: 'Meta',
    documentation: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
    checked: '2026-11-25',
    signature: { header: 'x-hub-signature-256', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: {
      called: 'the app secret, under Settings and Basic',
      mistaken: { EAA: 'an access token' },
    },
    requests: {
      // `facebookplatform` checks the URL, and `facebookexternalua` sends.
      recognised: { 'user-agent': 'facebook' },
      weak: { 'x-hub-signature': 'SHA-1' },
      others: [
        {
          body: '"object":"instagram"',
          is: 'from Instagram: with Instagram login, the Instagram app secret signs',
        },
        {
          body: '"object":"threads"',
          is: 'from Threads, where the Threads app secret signs, not that of the Meta app',
        },
      ],
      post: 'its check of the URL needs `verifyToken`, chosen there, and hub.mode=subscribe',
    },
    signed: ['body'],
    getCheck: {
      name: 'hub.challenge',
      when: { 'hub.mode': 'subscribe' },
      token: 'hub.verify_token',
      echo: 'hub.challenge',
    },
    event: [{ pointer: '/object' }],
    success: 200,
    retries: true,
    largest: 3_145_728,
  },
  { rare },
)
