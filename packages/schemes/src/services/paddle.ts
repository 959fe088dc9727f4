import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Paddle Billing. Its retries carry the timestamp of the first attempt, so there is no replay window.
 *
 * POST of a JSON object. Its SDK takes 5 s and reads the last `h1` only; every one is tried here.
 */
export const paddle: DefinedScheme<ServiceKind<'paddle', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'paddle',
    title: 'Paddle',
    documentation: 'https://developer.paddle.com/webhooks/signature-verification',
    checked: '2026-11-25',
    signature: { header: 'paddle-signature', encoding: 'hex', separator: ';', field: 'h1' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    secret: {
      called: 'the secret key of the notification destination',
      begins: 'pdl_ntfset_',
      several: 'each destination has its own, and so has the sandbox',
      mistaken: {
        pdl_live_apikey_: 'an API key',
        pdl_sdbx_apikey_: 'an API key',
        ntfset_: 'the id of the destination',
      },
    },
    requests: {
      recognised: { 'user-agent': 'Paddle' },
      signing: 'it is of Paddle Classic: send it from Paddle Billing',
    },
    signed: ['timestamp', { text: ':' }, 'body'],
    timestamp: { at: { field: 'ts' }, unit: 's' },
    id: [{ pointer: '/event_id' }],
    event: [{ pointer: '/event_type' }],
    success: 200,
    patience: 5,
    retries: true,
  })
