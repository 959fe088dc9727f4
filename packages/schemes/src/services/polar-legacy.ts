import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Polar, for secrets that were made before 8 September 2026: the whole text is the key. Everything else is as with `polar`. */
export const polarLegacy: DefinedScheme<ServiceKind<'polar-legacy', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'polar-legacy',
      title: 'Polar',
      documentation: 'https://polar.sh/docs/integrate/webhooks/delivery',
      checked: '2026-11-26',
      keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'v1,' }],
      secret: {
        called: 'the secret of the webhook endpoint',
        several: 'each endpoint has its own, and so has the sandbox',
        mistaken: {
          polar_oat_: 'an access token',
          whsec_: 'a newer secret, which needs the scheme `polar`',
        },
        chosen: true,
      },
      event: [{ pointer: '/type' }],
      patience: 10,
      retries: true,
    }),
  )
