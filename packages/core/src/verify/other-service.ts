import { quoted } from '../reject/log-line.ts'
import { rejection } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'
import type { RequestHead } from './scheme.ts'
import type { RequestFacts } from './service-facts.ts'

/**
 * By the header of the signature: the scheme of the service that sends it, for receivers that have no other schemes. A test of
 * `@webhook-receiver/schemes` compares it with the values.
 */
export const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  'stripe-signature': 'stripe',
  'x-hub-signature-256': 'github or meta',
  // Svix may send both.
  'svix-signature': 'clerk, resend or svix',
  'webhook-signature':
    'anthropic, creem, dodo, gitlab, gocardless, liveblocks, mcpEvents, openai, polar, polarLegacy, replicate, supabase or standardWebhooks',
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
  'x-notion-signature': 'notion',
  'x-hubspot-signature-v3': 'hubspot',
  'elevenlabs-signature': 'elevenlabs',
  'x-razorpay-signature': 'razorpay',
  'mux-signature': 'mux',
  'telnyx-signature-ed25519': 'telnyx',
  'x-pusher-signature': 'pusher',
  'x-retell-signature': 'retell',
  'workos-signature': 'workos',
  'twitch-eventsub-message-signature': 'twitch',
  'box-signature-primary': 'box',
  'sentry-hook-signature': 'sentry',
  'x-paystack-signature': 'paystack',
  'intuit-signature': 'quickbooks',
  'x-docusign-signature-1': 'docusign',
  'x-hook-signature': 'asana',
  'x-dropbox-signature': 'dropbox',
  'x-lovable-signature': 'lovable',
  'x-webflow-signature': 'webflow',
  'x-cc-webhook-signature': 'coinbaseCommerce',
  'x-nango-hmac-sha256': 'nango',
  'creem-signature': 'creemLegacy',
  'x-mollie-signature': 'mollie',
  hmacsignature: 'adyenPlatform',
  'x-pagerduty-signature': 'pagerduty',
  // Others use these names too.
  'x-hub-signature': 'bitbucket or jira',
  'x-signature': 'lemonSqueezy or stream',
}

/** The header of the default format, which a service's route may get by mistake. */
const DEFAULT_FORMAT = 'x-webhook-signature'

/** What of a scheme its messages need. */
interface Service {
  readonly title?: string | undefined
  readonly requests?: RequestFacts | undefined
}

/**
 * The error for a request without the header of the signature: its service may not sign yet, or it comes from another one.
 *
 * @param headers the names of the header, as the service writes them.
 */
export function signatureMissing(
  request: RequestHead,
  headers: readonly string[],
  { title, requests = {} }: Service = {},
): WebhookError {
  const has = ([name]: readonly [string, string]) => request.header(name)
  const own = headers.map((name) => name.toLowerCase())
  const other = Object.entries(SIGNATURE_HEADERS).find((row) => !own.includes(row[0]) && has(row))
  const weak = Object.entries(requests.weak ?? {}).find(has)
  const shows = shownBy(request, requests)
  const isDefault = !own.includes(DEFAULT_FORMAT) && request.header(DEFAULT_FORMAT)
  return rejection('signature_missing', {
    header: headers[0] ?? '',
    isEmpty: headers.some((name) => request.header(name) === ''),
    title,
    shows,
    weak,
    other: weak ? undefined : (other ?? (isDefault ? [DEFAULT_FORMAT, undefined] : undefined)),
    signing: requests.signing,
  })
}

/** The error for a request that is not a POST: from a browser, or from a service that is set to another method. */
export function wrongMethod(
  request: RequestHead,
  headers: readonly string[],
  { title, requests = {} }: Service = {},
): WebhookError {
  const { method } = request
  const isOwn = headers.some((name) => request.header(name)) || isRecognised(request, requests)
  return rejection('method_not_allowed', { method, isOwn, title, post: requests.post })
}

/**
 * What a request is that another secret signs than that of the scheme, or nothing, as a sentence; `undefined` where it does not show.
 *
 * @param body the bytes of a request whose signature does not match, of which nothing is quoted; `undefined` if it has no signature.
 */
export function shownBy(
  { header }: Pick<RequestHead, 'header'>,
  { others = [] }: RequestFacts = {},
  body?: Uint8Array,
): string | undefined {
  let ends: string | undefined
  for (const { header: name, begins = '', body: text, unsigned = false, is } of others) {
    if (unsigned !== (body === undefined)) continue
    const value = name === undefined ? undefined : header(name)
    if (typeof value === 'string' && value.startsWith(begins)) {
      // Instead of a signature there can be a secret, or a token.
      const seen = unsigned ? begins : value
      return `The request is ${is}. Its ${name}${seen && ` ${quoted(seen)}`} shows that.`
    }
    if (text === undefined || body === undefined) continue
    ends ??= endsOf(body)
    if (ends.includes(text)) return `The request is ${is}. Its body shows that.`
  }
  return undefined
}

/** Latin-1, which is what the texts look for are, whatever the bytes between them. */
function endsOf(body: Uint8Array): string {
  return String.fromCharCode(...body.subarray(0, 1024), 10, ...body.subarray(-1024))
}

/** Whether one of its other headers shows that the service has sent a request. */
function isRecognised(request: RequestHead, { recognised = {} }: RequestFacts): boolean {
  return Object.entries(recognised).some(([name, begins]) => {
    const value = request.header(name)
    return typeof value === 'string' && value.startsWith(begins)
  })
}
