import { rare } from '../engine/rare.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Dropbox. A body says for which accounts something has changed, and not what, so a delivery has no id and no event.
 *
 * POST of a JSON object, for which Dropbox waits 10 s, and an unsigned GET with `challenge` that checks the URL.
 */
export const dropbox: DefinedScheme<ServiceKind<'dropbox', 'none', 'none'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'dropbox',
      title: 'Dropbox',
      documentation: 'https://www.dropbox.com/developers/reference/webhooks',
      checked: '2026-11-27',
      signature: { header: 'x-dropbox-signature', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
      secret: {
        called: 'the app secret',
        several: 'each app has its own',
        mistaken: { 'sl.': 'an access token' },
      },
      requests: { recognised: { 'user-agent': 'DropboxWebhooks/' } },
      signed: ['body'],
      getCheck: { name: 'challenge', echo: 'challenge' },
      success: 200,
      patience: 10,
      retries: true,
    },
    { rare },
  )
