import type { Tampering } from './tamper.ts'

/** Each is checked before anything is sent; a wrong one is a TypeError. */
export interface DeliverOptions {
  /**
   * What to sign with.
   * @default process.env.WEBHOOK_SECRET
   */
  readonly secret?: string | undefined
  /**
   * Where the application takes deliveries; a query may follow.
   * @default '/webhooks'
   */
  readonly path?: string | undefined
  /** Headers to send besides those of the delivery, or in their place. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * X-Webhook-Timestamp, as it is to be sent and signed.
   * @default Unix seconds of `now`
   */
  readonly timestamp?: string | undefined
  /**
   * The `id` of the body, and X-Webhook-Id.
   * @default a random UUID
   */
  readonly id?: string | undefined
  /** @default 'inst_01' */
  readonly instanceId?: string | undefined
  /** What to do to the delivery, so that a receiver has to refuse it. */
  readonly tamper?: Tampering | undefined
}

const OPTIONS: { readonly [Name in keyof DeliverOptions]-?: true } = {
  secret: true,
  path: true,
  headers: true,
  now: true,
  timestamp: true,
  id: true,
  instanceId: true,
  tamper: true,
}

/** The secret and the path, with their defaults. */
export function checkedDeliverOptions(options: DeliverOptions): {
  readonly secret: string
  readonly path: string
} {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name))
  if (unknown !== undefined) {
    throw new TypeError(
      `There is no option ${JSON.stringify(unknown)}. The options are: ${Object.keys(OPTIONS).join(', ')}.`,
    )
  }
  const { secret = secretOfEnvironment(), path = '/webhooks' } = options
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      "There is no secret to sign with: set WEBHOOK_SECRET, or give the receiver's: deliverTo(app, event, data, { secret: 'whsec_…' }).",
    )
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new TypeError("`path` should begin with a slash, such as '/webhooks'.")
  }
  return { secret, path }
}

function secretOfEnvironment(): unknown {
  return Reflect.get(globalThis, 'process')?.env?.WEBHOOK_SECRET
}
