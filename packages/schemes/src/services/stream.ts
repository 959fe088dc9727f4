import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Stream (getstream.io). It signs the body and nothing else: anyone who holds a signed body can change the id.
 *
 * POST of a JSON object with one event, retried for 15 seconds with the same id. It signs the body before it is compressed, so leave the
 * compression of its hooks off.
 */
export const stream: DefinedScheme<ServiceKind<'stream', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'stream',
    title: 'Stream',
    documentation: 'https://getstream.io/chat/docs/node/webhooks_overview/',
    checked: '2026-11-26',
    signature: { header: 'x-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: { called: 'the API secret of the app' },
    requests: {
      recognised: { 'x-webhook-attempt': '' },
      others: [{ header: 'x-api-key', is: 'signed with the secret that belongs to this API key' }],
    },
    signed: ['body'],
    id: [{ header: 'x-webhook-id' }],
    event: [{ pointer: '/type' }],
    patience: 6,
    retries: true,
  })
