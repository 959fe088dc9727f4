import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Nango. A body has no id. What it forwards from an API that it cannot assign to a connection comes as that API sent it, so that `type` is
 * theirs or missing.
 *
 * POST of a JSON object, for which Nango waits 20 s.
 */
export const nango: DefinedScheme<ServiceKind<'nango', 'none', 'event'>> = /* @__PURE__ */ schemeOf(
  {
    name: 'nango',
    title: 'Nango',
    documentation: 'https://nango.dev/docs/guides/platform/webhooks-from-nango',
    checked: '2026-11-27',
    signature: { header: 'x-nango-hmac-sha256', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the webhook signing key of the environment',
      several: 'each environment has its own',
    },
    requests: {
      recognised: { 'x-nango-signature': '' },
      weak: { 'x-nango-signature': 'a plain SHA-256' },
    },
    signed: ['body'],
    event: [{ pointer: '/type' }],
    patience: 20,
    retries: true,
  },
)
