import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Svix, and services that send through it, under its own header names.
 *
 * Its SDK takes the headers of Standard Webhooks too.
 */
export const svix: DefinedScheme<ServiceKind<'svix', 'signed', 'event'>> = /* @__PURE__ */ schemeOf(
  /* @__PURE__ */ standard(
    {
      name: 'svix',
      title: 'Svix',
      documentation: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
      checked: '2026-11-26',
      secret: {
        called: 'the signing secret of the endpoint',
        several: 'each endpoint has its own',
      },
      requests: { recognised: { 'svix-id': '', 'webhook-id': '' } },
      event: [{ pointer: '/type' }],
      patience: 15,
      retries: true,
    },
    'svix',
  ),
)
