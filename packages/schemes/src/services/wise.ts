import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Wise. The secret is its public key in PEM, one for production and one for the sandbox. It signs the body and nothing else.
 *
 * POST of a JSON object with one event. Whether a retry keeps the id is not documented.
 */
export const wise: DefinedScheme<ServiceKind<'wise', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'wise',
      title: 'Wise',
      documentation: 'https://docs.wise.com/guides/developer/webhooks/event-handling',
      checked: '2026-11-25',
      signature: { header: 'x-signature-sha256', encoding: 'base64' },
      keys: [{ algorithm: 'rsa-sha256', secret: 'pem' }],
      secret: {
        called: 'the public key of Wise for webhooks, in PEM',
        several: 'production and the sandbox have different ones',
      },
      requests: { recognised: { 'x-delivery-id': '' } },
      signed: ['body'],
      id: [{ header: 'x-delivery-id' }],
      event: [{ pointer: '/event_type' }],
      // One page of Wise asks for any 2xx, another for 200 only.
      success: 200,
      patience: 5,
      retries: true,
    },
    { methods, privateKeys },
  )
