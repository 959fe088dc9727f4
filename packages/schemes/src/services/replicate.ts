import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Replicate, as Standard Webhooks describes. A body is a prediction or a training, so a delivery has no event: `data.status` says how far
 * it is.
 *
 * The timestamp is that of the attempt. Its SDK does not look at it.
 */
export const replicate: DefinedScheme<ServiceKind<'replicate', 'signed', 'none'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'replicate',
      title: 'Replicate',
      documentation: 'https://replicate.com/docs/topics/webhooks/verify-webhook',
      checked: '2026-11-26',
      secret: {
        called: 'the signing key of the webhooks',
        several: 'each account and each organization has its own',
        begins: 'whsec_',
        mistaken: { r8_: 'an API token' },
      },
      retries: true,
      largest: 33_554_432,
    }),
  )
