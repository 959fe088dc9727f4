import { EVENTS } from '../contract/event.ts'
import { contract } from '../contract/service.ts'
import type { SignableDelivery, SignedDelivery, SignOptions } from '../contract/sign.ts'
import { SCHEME } from '../option-rules.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import { checkOptionNames, checkValue } from '../validate/check-options.ts'
import { isBytes } from '../validate/plain.ts'
import { CLOCK, optional } from '../validate/rule.ts'
import type { Scheme, SignableParts } from '../verify/scheme.ts'

/** How to sign as another service does. */
export interface SchemeSignOptions extends Pick<SignOptions, 'now'> {
  readonly scheme: Scheme
  /**
   * The id, where the service has one in a header, or the body lacks it.
   * @default a random UUID
   */
  readonly id?: string | undefined
  /**
   * The event, where the service has it in a header, or the body lacks it.
   * @default the delivery, if that is the name of an event
   */
  readonly event?: string | undefined
  /** The instance of the service that sends it, if it has any. */
  readonly instanceId?: string | undefined
  /**
   * The public URL, where the service signs it.
   * @default 'http://localhost/webhooks'
   */
  readonly url?: string | undefined
}

/** A delivery of another service. */
export interface SignedSchemeDelivery extends Pick<SignedDelivery, 'body'> {
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Signs a delivery as the service does (contract, section 5), or by another `scheme`, for a test of a receiver. Where that service shares no
 * secret, pass a private key in PEM.
 *
 * @throws TypeError if the secret is not a string or is empty, for what is not a scheme, and if only the service itself can sign by this scheme.
 *
 * @example
 * const { headers, body } = await signDelivery(secret, 'message.received')
 * await fetch(url, { method: 'POST', headers, body })
 */
export function signDelivery(
  secret: string,
  delivery: SignableDelivery,
  options?: SignOptions & { readonly scheme?: undefined },
): Promise<SignedDelivery>
export function signDelivery(
  secret: string,
  delivery: SignableDelivery,
  options: SchemeSignOptions,
): Promise<SignedSchemeDelivery>
export async function signDelivery(
  secret: string,
  delivery: SignableDelivery,
  options: SignOptions &
    Omit<SchemeSignOptions, 'scheme'> & { readonly scheme?: Scheme | undefined } = {},
): Promise<SignedSchemeDelivery> {
  checkOptionNames(options, NAMES, '{ scheme }', OWN_CONTENT)
  if (EVENTS.some((event) => event === secret) || looksSecret(delivery)) {
    throw new TypeError('The secret is the first argument, and the event or the body the second.')
  }
  checkValue('scheme', options.scheme, optional(SCHEME))
  checkValue('now', options.now, optional(CLOCK))
  const { scheme = contract, now = () => Date.now(), url = LOCAL, timestamp, webhookId } = options
  const name = typeof delivery === 'string' ? delivery : undefined
  // Without a scheme, what is given is the whole body, and with one what is in it.
  const isWhole = options.scheme === undefined && typeof delivery === 'object'
  const { id = isWhole ? idOf(delivery) : crypto.randomUUID(), event = name ?? '' } = options
  const parts = { id, event, time: now(), url, timestamp, instance: options.instanceId }
  const content = typeof delivery === 'string' ? (scheme.sample?.(delivery) ?? {}) : delivery
  const body = isWhole ? bytesOf(delivery) : composed(scheme, content, parts)
  return signBody(scheme, secret, body, { ...parts, id: webhookId ?? id })
}

/** Whether something stands where a secret should. */
export function looksSecret(given: unknown): boolean {
  return typeof given === 'string' && given.startsWith('whsec_')
}

const LOCAL = 'http://localhost/webhooks'

const NAMES = ['scheme', 'now', 'timestamp', 'webhookId', 'id', 'event', 'instanceId', 'url']

const OWN_CONTENT =
  'To sign content of your own, pass it as the second argument: signDelivery(secret, { … }). '

/** Signs a body as the service does. */
export async function signBody(
  scheme: Scheme,
  secret: string,
  body: Uint8Array<ArrayBuffer>,
  parts: SignableParts,
): Promise<SignedSchemeDelivery> {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('The secret should be a string that is not empty.')
  }
  if (!scheme.sign) throw new TypeError(`Only ${scheme.name} itself can sign its deliveries.`)
  const key = await scheme.importKey(secret, 'The secret', 'sign')
  try {
    const made = await scheme.sign(key, body, parts)
    const hasType = Object.keys(made).some((name) => /^content-type$/i.test(name))
    return { headers: hasType ? made : { 'content-type': 'application/json', ...made }, body }
  } catch (thrown) {
    // Its message is for the sender of a request, and says nothing here.
    throw isWebhookError(thrown) ? new TypeError(thrown.detail) : thrown
  }
}

/** The body of a delivery with this content. Bytes are a body already. */
export function composed(
  scheme: Scheme,
  content: object,
  parts: SignableParts,
): Uint8Array<ArrayBuffer> {
  if (isBytes(content)) return bytesOf(content)
  return scheme.compose?.(content, parts) ?? bytesOf(content)
}

function bytesOf(content: object): Uint8Array<ArrayBuffer> {
  return isBytes(content)
    ? Uint8Array.from(content)
    : new TextEncoder().encode(JSON.stringify(content))
}

function idOf(content: object): string {
  return 'id' in content && typeof content.id === 'string' ? content.id : ''
}
