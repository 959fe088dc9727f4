import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Svix, and services that send through it, under its own header names.
 *
 * Its SDK takes the headers of Standard Webhooks too.
 */
export const svix: DefinedScheme<ServiceKind<'svix', 'signed', 'event'>> = /* @__PURE__ */ schemeOf(
  {
    name: 'svix',
    title: 'Svix',
    documentation: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
    checked: '2026-11-25',
    signature: {
      header: ['svix-signature', 'webhook-signature'],
      encoding: 'base64',
      separator: ' ',
    },
    keys: [{ algorithm: 'hmac-sha256', secret: 'base64', secretPrefix: 'whsec_', prefix: 'v1,' }],
    secret: { called: 'the signing secret of the endpoint' },
    requests: { recognised: { 'svix-id': '', 'webhook-id': '' } },
    signed: [
      { header: ['svix-id', 'webhook-id'] },
      { text: '.' },
      'timestamp',
      { text: '.' },
      'body',
    ],
    timestamp: {
      at: { header: ['svix-timestamp', 'webhook-timestamp'] },
      unit: 's',
      tolerance: 300,
    },
    id: [{ header: ['svix-id', 'webhook-id'] }],
    event: [{ pointer: '/type' }],
    patience: 15,
    retries: true,
  },
)
