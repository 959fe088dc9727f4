import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Bitbucket, Cloud and Data Center. It signs the body and nothing else: anyone who holds a signed body can change the id and the event.
 *
 * POST of a JSON object with one event, in the Cloud of up to 256 KB and with up to two retries.
 */
export const bitbucket: DefinedScheme<ServiceKind<'bitbucket', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'bitbucket',
    title: 'Bitbucket',
    documentation: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
    checked: '2026-11-26',
    signature: { header: 'x-hub-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: {
      called: 'the text in the field Secret of the webhook',
      several: 'each webhook has its own',
      mistaken: { ATBB: 'an app password', ATCTT: 'an access token' },
      chosen: true,
    },
    requests: {
      recognised: { 'x-event-key': '' },
      signing: 'its webhook has no secret: fill in the field Secret',
    },
    signed: ['body'],
    id: [{ header: ['x-request-uuid', 'x-request-id'] }],
    event: [{ header: 'x-event-key' }],
    patience: 10,
    retries: true,
  })
