import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * QuickBooks Online by Intuit. A body holds several events, so a delivery has no id and no event: an array of CloudEvents, or, in the older
 * form, `eventNotifications`.
 */
export const quickbooks: DefinedScheme<ServiceKind<'quickbooks', 'none', 'none'>> =
  /* @__PURE__ */ schemeOf({
    name: 'quickbooks',
    title: 'QuickBooks',
    documentation: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
    checked: '2026-11-27',
    signature: { header: 'intuit-signature', encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the verifier token of the webhooks',
      several: 'development and production have their own',
    },
    requests: { recognised: { 'intuit-t-id': '' } },
    signed: ['body'],
    success: 200,
    retries: true,
  })
