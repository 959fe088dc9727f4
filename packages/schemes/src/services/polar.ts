import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Polar, for secrets that begin with `whsec_`. An endpoint whose secret was made before 8 September 2026 signs as `polarLegacy` has it.
 *
 * POST of a JSON object with one event; a redirect counts as a failure. Its SDK tries both ways to read a secret.
 */
export const polar: DefinedScheme<ServiceKind<'polar', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'polar',
      title: 'Polar',
      documentation: 'https://polar.sh/docs/integrate/webhooks/delivery',
      checked: '2026-11-26',
      secret: {
        called: 'the secret of the webhook endpoint',
        begins: 'whsec_',
        several: 'each endpoint has its own, and so has the sandbox',
        mistaken: {
          polar_oat_: 'an access token',
          polar_whs_: 'an older secret, which needs the scheme `polarLegacy`',
        },
      },
      event: [{ pointer: '/type' }],
      patience: 10,
      retries: true,
    }),
  )
