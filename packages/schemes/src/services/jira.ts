import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Jira, where an administrator has registered the webhook with a secret. It signs the body and nothing else: anyone who holds a signed
 * body can change the id.
 *
 * POST of a JSON object with one event. Up to five retries, with the same id.
 */
export const jira: DefinedScheme<ServiceKind<'jira', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'jira',
    title: 'Jira',
    documentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
    checked: '2026-11-26',
    signature: { header: 'x-hub-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: {
      called: 'the text in the field Secret of the webhook',
      several: 'each webhook has its own',
      mistaken: { ATATT: 'an API token' },
      chosen: true,
    },
    requests: {
      recognised: { 'x-atlassian-webhook-identifier': '' },
      others: [
        {
          header: 'authorization',
          begins: 'JWT ',
          unsigned: true,
          is: "for a Connect app, signed by a JWT with the installation's secret",
        },
      ],
      signing: 'its webhook has no secret: fill it in as an administrator',
    },
    signed: ['body'],
    id: [{ header: 'x-atlassian-webhook-identifier' }],
    event: [{ pointer: '/webhookEvent' }],
    retries: true,
  })
