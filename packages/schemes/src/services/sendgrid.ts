import { methods } from '../engine/methods.ts'
import { privateKeys } from '../engine/private-keys.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * SendGrid Event Webhook. A body holds several events, so a delivery has no id and no event. The secret is the public verification key.
 *
 * POST of a JSON array. Retried for 24 hours, with which timestamp is not documented, so there is no window.
 */
export const sendgrid: DefinedScheme<ServiceKind<'sendgrid', 'none', 'none'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'sendgrid',
      title: 'SendGrid',
      documentation:
        'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features',
      checked: '2026-11-25',
      signature: { header: 'x-twilio-email-event-webhook-signature', encoding: 'base64' },
      keys: [{ algorithm: 'ecdsa-p256', secret: 'spki' }],
      secret: {
        called: 'the verification key of the signed event webhook',
        several: 'each webhook and each subuser has its own',
        mistaken: { 'SG.': 'an API key' },
      },
      requests: {
        recognised: { 'user-agent': 'SendGrid' },
        others: [
          {
            header: 'content-type',
            begins: 'multipart/form-data',
            unsigned: true,
            is: "an inbound email (Inbound Parse), which no event webhook's key signs",
          },
        ],
        signing: 'switch on signature verification',
      },
      signed: ['timestamp', 'body'],
      timestamp: { at: { header: 'x-twilio-email-event-webhook-timestamp' }, unit: 's' },
      retries: true,
    },
    { methods, privateKeys },
  )
