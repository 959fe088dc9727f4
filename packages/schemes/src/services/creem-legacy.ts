import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/** Creem, for endpoints that get `creem-signature`: it signs the body and no time. */
export const creemLegacy: DefinedScheme<ServiceKind<'creem-legacy', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'creem-legacy',
    title: 'Creem',
    documentation: 'https://docs.creem.io/skills/creem-api/WEBHOOKS',
    checked: '2026-11-27',
    signature: { header: 'creem-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the secret of the webhook',
      several: 'test mode has its own',
      mistaken: { creem_: 'an API key' },
    },
    signed: ['body'],
    id: [{ pointer: '/id' }],
    event: [{ pointer: '/eventType' }],
    success: 200,
    retries: true,
  })
