import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Sanity. Its id is in a header that is not signed, and its bodies are what your projection makes of a document.
 *
 * It can be set to other methods than POST, and to bodies that are not an object or an array: these are not accepted. Two retries within a
 * minute, on 429 and 5xx.
 */
export const sanity: DefinedScheme<ServiceKind<'sanity', 'unsigned', 'none'>> =
  /* @__PURE__ */ schemeOf({
    name: 'sanity',
    title: 'Sanity',
    documentation: 'https://www.sanity.io/docs/webhooks',
    checked: '2026-11-25',
    signature: {
      header: 'sanity-webhook-signature',
      encoding: 'base64url',
      separator: ',',
      field: 'v1',
    },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the text in the field Secret of the webhook',
      mistaken: { sk: 'an API token' },
      chosen: true,
    },
    requests: {
      recognised: { 'sanity-webhook-id': '', 'sanity-project-id': '' },
      signing: 'its webhook has no secret: fill in the field Secret',
      others: [
        {
          header: 'sanity-webhook-id',
          is: 'from the webhook with this id, which has its own secret',
        },
      ],
    },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { field: 't' }, unit: 'ms' },
    id: [{ header: 'idempotency-key' }],
    retries: true,
    largest: 33_554_432,
  })
