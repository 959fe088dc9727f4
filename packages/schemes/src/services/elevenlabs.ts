import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * ElevenLabs. A delivery has no id.
 *
 * POST of a JSON object with one event. Retries are off until they are switched on for the webhook; one that fails is disabled in time.
 * Its SDK takes 30 minutes.
 */
export const elevenlabs: DefinedScheme<ServiceKind<'elevenlabs', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'elevenlabs',
    title: 'ElevenLabs',
    documentation: 'https://elevenlabs.io/docs/eleven-api/resources/webhooks',
    checked: '2026-11-26',
    signature: { header: 'elevenlabs-signature', encoding: 'hex', separator: ',', field: 'v0' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the secret of the webhook',
      several: 'each webhook has its own',
      mistaken: { sk_: 'an API key' },
    },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { field: 't' }, unit: 's', tolerance: 1800 },
    event: [{ pointer: '/type' }],
    retries: false,
    largest: 33_554_432,
  })
