import { rejection } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'
import type { RequestHead } from './scheme.ts'

/** By the header of the signature: the scheme of the service that sends it. */
const SCHEMES: Readonly<Record<string, string>> = {
  'stripe-signature': 'stripe',
  'x-hub-signature-256': 'github or meta',
  // Svix may send both.
  'svix-signature': 'svix',
  'webhook-signature': 'standardWebhooks',
  'x-slack-signature': 'slack',
  'x-twilio-signature': 'twilio',
  'x-twilio-email-event-webhook-signature': 'sendgrid',
  'paddle-signature': 'paddle',
  'x-square-hmacsha256-signature': 'square',
  'linear-signature': 'linear',
  'x-line-signature': 'line',
  'x-signature-ed25519': 'discordEvents or discordInteractions',
  'x-zm-signature': 'zoom',
  'x-shopify-hmac-sha256': 'shopify',
  'shopify-hmac-sha256': 'shopify',
  'sanity-webhook-signature': 'sanity',
  'x-signature-sha256': 'wise',
  'x-amz-sns-message-type': 'awsSns',
}

/**
 * The error for a request without the header of the signature: it may have that of another service.
 *
 * @param headers the names of the header, as the service writes them.
 */
export function signatureMissing(
  request: RequestHead,
  ...headers: readonly string[]
): WebhookError {
  const own = headers.map((name) => name.toLowerCase())
  const [other] = Object.entries(SCHEMES).filter(
    ([name]) => !own.includes(name) && request.header(name),
  )
  return rejection('signature_missing', { header: headers.join(' or '), other })
}
