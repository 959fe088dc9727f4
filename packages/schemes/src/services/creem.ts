import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Creem, for endpoints that get the headers of Standard Webhooks. Those that get `creem-signature` alone need `creemLegacy`. */
export const creem: DefinedScheme<ServiceKind<'creem', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'creem',
      title: 'Creem',
      documentation: 'https://docs.creem.io/code/webhooks',
      checked: '2026-11-27',
      secret: {
        called: 'the secret of the webhook endpoint',
        several: 'each endpoint has its own, and so has test mode',
        mistaken: { creem_: 'an API key' },
      },
      requests: {
        recognised: { 'webhook-id': '' },
      },
      event: [{ pointer: '/type' }, { pointer: '/eventType' }],
      success: 200,
      retries: true,
    }),
  )
