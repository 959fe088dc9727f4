import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Webflow. Only webhooks that an app or the API made are signed, and not those of the dashboard. A body has no id.
 *
 * POST of a JSON object. Webflow asks to reject what is older than 5 minutes; its SDK does not look at the time.
 */
export const webflow: DefinedScheme<ServiceKind<'webflow', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'webflow',
    title: 'Webflow',
    documentation: 'https://developers.webflow.com/data/docs/working-with-webhooks',
    checked: '2026-11-27',
    signature: { header: 'x-webflow-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called:
        'the client secret of the app, or the secret that came with a webhook made by a site token',
      several: 'each app has its own, and so has each webhook made by a site token',
    },
    requests: {
      recognised: { 'x-webflow-timestamp': '' },
      signing: 'make its webhook by API or app, not in the dashboard',
    },
    signed: ['timestamp', { text: ':' }, 'body'],
    timestamp: { at: { header: 'x-webflow-timestamp' }, unit: 'ms', tolerance: 300 },
    event: [{ pointer: '/triggerType' }],
    success: 200,
    retries: true,
  })
