import { forms } from '../engine/form.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * GitHub. It signs the body and nothing else: anyone who holds a signed body can change the delivery id and the event. SHA-1 is never
 * accepted.
 *
 * POST of JSON or, as its form preselects, of a form with the JSON in `payload`, of up to 25 MB. One delivery a request; it does not
 * retry by itself, and a redelivery has the same id.
 */
export const github: DefinedScheme<ServiceKind<'github', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'github',
      documentation:
        'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
      checked: '2026-11-25',
      signature: { header: 'x-hub-signature-256', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
      signed: ['body'],
      id: [{ header: 'x-github-delivery' }],
      event: [{ header: 'x-github-event' }],
      body: 'json or form',
      jsonField: 'payload',
      patience: 10,
      retries: false,
      largest: 26_214_400,
    },
    { forms },
  )
