import { actions } from '../engine/actions.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Linear. The timestamp is in the signed body; the delivery id is in a header that is not signed.
 *
 * POST of JSON. Its SDK needs no id and takes 60 s; retries come after 1 minute, 1 hour and 6 hours, by reports with the bytes of the
 * first attempt, so the window is 8 hours.
 */
export const linear: DefinedScheme<ServiceKind<'linear', 'unsigned', 'event and action'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'linear',
      title: 'Linear',
      documentation: 'https://linear.app/developers/webhooks',
      checked: '2026-11-25',
      signature: { header: 'linear-signature', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
      secret: {
        called: 'the signing secret of the webhook',
        several:
          'each webhook has its own, and so has an OAuth application: `webhookId` in the body names it',
        mistaken: { lin_api_: 'an API key', lin_oauth_: 'an OAuth token' },
      },
      requests: { recognised: { 'linear-event': '', 'linear-delivery': '' } },
      signed: ['body'],
      timestamp: { at: { pointer: '/webhookTimestamp' }, unit: 'ms', tolerance: 28_800 },
      id: [{ header: 'linear-delivery' }],
      event: [{ pointer: '/type' }],
      action: [{ pointer: '/action' }],
      success: 200,
      patience: 5,
      retries: true,
    },
    { actions },
  )
