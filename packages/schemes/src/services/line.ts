import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * LINE Messaging API. A body holds several events, so a delivery has no id and no event.
 *
 * POST of a JSON object with several events, or with none when the URL is checked. It redelivers only where that is switched on.
 */
export const line: DefinedScheme<ServiceKind<'line', 'none', 'none'>> = /* @__PURE__ */ schemeOf({
  name: 'line',
  title: 'LINE',
  documentation: 'https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/',
  checked: '2026-11-25',
  signature: { header: 'x-line-signature', encoding: 'base64' },
  keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
  secret: {
    called: 'the channel secret',
    several: 'each channel has its own: `destination` in the body is the user ID of its bot',
  },
  requests: { recognised: { 'user-agent': 'LineBotWebhook' } },
  signed: ['body'],
  success: 200,
  patience: 2,
})
