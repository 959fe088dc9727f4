import type { WebhookEvent } from '../contract/event.ts'
import { contract } from '../contract/service.ts'
import { SCHEME } from '../option-rules.ts'
import { publicUrlOf } from '../public-url.ts'
import { checkOptionNames, checkValue } from '../validate/check-options.ts'
import { CLOCK, DAY, oneOf, optional, stringRule } from '../validate/rule.ts'
import type { Scheme } from '../verify/scheme.ts'
import { composed, looksSecret, signBody } from './sign.ts'
import { TAMPERINGS, type Tampering, tamperedSigning, tamperedWord } from './tamper.ts'

/** The options of `deliverTo`. They are checked before anything is sent. An invalid one is a TypeError. */
export interface DeliverOptions {
  /**
   * The scheme to sign by. With one, `data` is the whole body, but for what the scheme adds.
   * @default the default format
   */
  readonly scheme?: Scheme | undefined
  /**
   * What the application has as its `publicUrl`, where the scheme signs the URL.
   * @default 'http://localhost'
   */
  readonly publicUrl?: string | undefined
  /**
   * The secret to sign with. Of a service that shares none, a private key in PEM: `keyPairFor` of `@webhook-receiver/schemes/services` makes one.
   * @default process.env.WEBHOOK_SECRET
   */
  readonly secret?: string | undefined
  /**
   * The path of the application for deliveries, with or without a query.
   * @default '/webhooks'
   */
  readonly path?: string | undefined
  /** Headers to add to those of the delivery, or to replace them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * The timestamp, as it is signed and sent.
   * @default Unix seconds of `now`
   */
  readonly timestamp?: string | undefined
  /**
   * The `id` of the body, which is in the headers too.
   * @default a random UUID
   */
  readonly id?: string | undefined
  /**
   * The `data.instance_id` of the body.
   * @default 'inst_01'
   */
  readonly instanceId?: string | undefined
  /** How to change the delivery, so that the receiver must reject it. */
  readonly tamper?: Tampering | undefined
}

/** A delivery as it is to be posted. */
export interface PreparedDelivery {
  readonly path: string
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Prepares the delivery that `deliverTo` of an adapter posts: a sample of the event, or one with `data` as its content,
 * signed as the service does (contract, section 5).
 *
 * @throws TypeError for an invalid argument, or if there is no secret.
 */
export async function prepareDelivery(
  event: WebhookEvent | (string & {}),
  data?: Readonly<Record<string, unknown>>,
  options: DeliverOptions = {},
): Promise<PreparedDelivery> {
  if (typeof event !== 'string' || event === '' || looksSecret(event)) {
    throw new TypeError(
      "The event should be a name, such as 'message.received', and the secret an option: { secret: 'whsec_…' }.",
    )
  }
  // By another scheme it is the whole body, which may be a list of events.
  const isList = Array.isArray(data) && options?.scheme === undefined
  if (data !== undefined && (typeof data !== 'object' || data === null || isList)) {
    throw new TypeError("The data should be an object, such as { text: 'hello' }.")
  }
  const { secret, path } = checkedTarget(options)
  const { headers = {}, now = () => Date.now(), timestamp, instanceId: instance, tamper } = options
  const { scheme = contract, publicUrl = 'http://localhost', id = crypto.randomUUID() } = options
  if ((tamper === 'stale' || tamper === 'future') && !scheme.readTime) {
    throw new TypeError(`\`tamper\` cannot be '${tamper}': ${scheme.name} signs no timestamp.`)
  }
  const signing = await tamperedSigning({ secret, now: now() }, tamper, DAY * 1000)
  const url = publicUrlOf(publicUrl, path)
  const parts = { id, event, time: signing.now, url, timestamp, instance }
  const content = composed(scheme, data ?? scheme.sample?.(event) ?? {}, parts)
  const signed = await signBody(scheme, signing.secret, content, parts)
  const sent = new Headers(signed.headers)
  for (const [name, value] of Object.entries(headers)) sent.set(name, value)
  const body =
    tamper === 'body' || tamper === 'alter' ? tamperedWord(signed.body).body : signed.body
  return { path, headers: Object.fromEntries(sent), body }
}

const OPTIONS: { readonly [Name in keyof DeliverOptions]-?: true } = {
  scheme: true,
  publicUrl: true,
  secret: true,
  path: true,
  headers: true,
  now: true,
  timestamp: true,
  id: true,
  instanceId: true,
  tamper: true,
}

const PATH = stringRule("a path that begins with a slash, such as '/webhooks'", /^\//)

/** The secret and the path, with their defaults. The scheme and the tampering are checked too. */
function checkedTarget(options: DeliverOptions): {
  readonly secret: string
  readonly path: string
} {
  checkOptionNames(options, Object.keys(OPTIONS), "{ secret: 'whsec_…' }")
  checkValue('scheme', options.scheme, optional(SCHEME))
  checkValue('tamper', options.tamper, optional(oneOf(TAMPERINGS)))
  checkValue('now', options.now, optional(CLOCK))
  const { secret = secretOfEnvironment(), path = '/webhooks' } = options
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      "There is no secret to sign with. Set WEBHOOK_SECRET, or pass the secret of the receiver: deliverTo(app, event, data, { secret: 'whsec_…' }).",
    )
  }
  return { secret, path: checkValue('path', path, PATH) }
}

function secretOfEnvironment(): unknown {
  return Reflect.get(globalThis, 'process')?.env?.WEBHOOK_SECRET
}
