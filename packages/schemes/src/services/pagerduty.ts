import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * PagerDuty, version 3. A rotation has several signatures.
 *
 * POST of a JSON object with one event, for which PagerDuty waits 5 s. It drops what gets 4xx but 429, and disables a subscription for a day
 * after three dropped in a row.
 */
export const pagerduty: DefinedScheme<ServiceKind<'pagerduty', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'pagerduty',
    title: 'PagerDuty',
    documentation: 'https://developer.pagerduty.com/docs/verifying-webhook-signatures',
    checked: '2026-11-27',
    signature: { header: 'x-pagerduty-signature', encoding: 'hex', separator: ',' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'v1=' }],
    secret: {
      called: 'the signing secret of the webhook subscription',
      several: 'each subscription has its own',
    },
    requests: { recognised: { 'user-agent': 'PagerDuty-Webhook/' } },
    signed: ['body'],
    id: [{ pointer: '/event/id' }],
    event: [{ pointer: '/event/event_type' }],
    patience: 5,
    retries: true,
  })
