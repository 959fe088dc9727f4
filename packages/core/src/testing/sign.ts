import { contract } from '../contract/scheme.ts'
import {
  type SignableDelivery,
  type SignedDelivery,
  type SignOptions,
  signDelivery as signByContract,
} from '../contract/sign.ts'
import type { Scheme } from '../verify/scheme.ts'

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
 * Signs a delivery as the service does (contract, section 5), or by another `scheme`, for a test of a receiver.
 *
 * @throws TypeError if the secret is not a string or is empty, or if only the service itself can sign by this scheme.
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
  const { scheme, now = () => Date.now(), id = crypto.randomUUID(), event, url = LOCAL } = options
  if (!scheme || scheme.name === contract.name) return signByContract(secret, delivery, options)
  if (!scheme.sign) throw new TypeError(`Only ${scheme.name} itself can sign its deliveries.`)
  const named = typeof delivery === 'string' ? delivery : undefined
  const parts = { id, event: event ?? named ?? '', time: now(), url }
  const content = typeof delivery === 'string' ? {} : delivery
  const body =
    content instanceof Uint8Array ? Uint8Array.from(content) : composed(scheme, content, parts)
  const key = await scheme.importKey(secret, 'The secret')
  const headers = await scheme.sign(key, body, parts)
  return { headers: { 'content-type': 'application/json', ...headers }, body }
}

const LOCAL = 'http://localhost/webhooks'

function composed(
  scheme: Scheme,
  data: object,
  parts: Parameters<NonNullable<Scheme['compose']>>[1],
): Uint8Array<ArrayBuffer> {
  return scheme.compose?.(data, parts) ?? new TextEncoder().encode(JSON.stringify(data))
}

/**
 * Returns a signed delivery as a web-standard Request, for `receiveRequest` or for the test function of a framework.
 *
 * @example
 * await receiver.receiveRequest(await signedRequest(secret, 'message.read'))
 */
export async function signedRequest(
  secret: string,
  delivery: SignableDelivery,
  options:
    | SchemeSignOptions
    | (SignOptions & {
        readonly scheme?: undefined
        /** @default 'http://localhost/webhooks' */
        readonly url?: string | undefined
      }) = {},
): Promise<Request> {
  const { headers, body } = options.scheme
    ? await signDelivery(secret, delivery, options)
    : await signDelivery(secret, delivery, options)
  return new Request(options.url ?? LOCAL, { method: 'POST', headers, body })
}
