import { allMaybeAsync, type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { ignore, withTimeoutIfAsync } from '../async/timeout.ts'
import { SITE } from '../reject/addresses.ts'
import { rejection, rejectionOf } from '../reject/rejection.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'
import { isCallable } from '../validate/callable.ts'
import { AcceptedCounter } from './accepted-lately.ts'
import type { Scheme } from './scheme.ts'
import {
  checkedSecrets,
  checkKind,
  IS_SET,
  labelOf,
  type NamedSecret,
  warnOnce,
} from './secret-faults.ts'
import { isSubscriptionSecrets, type Secrets, type SubscriptionSecrets } from './subscriptions.ts'

/**
 * The secret, or a function that returns it. The function gets the framework's own request or context: for tenants, or for
 * runtimes where the environment is part of the request.
 *
 * The type includes `undefined` so that `process.env.WEBHOOK_SECRET` compiles. At start, `undefined` is a TypeError.
 */
export type SecretSource<Context = unknown> =
  | Secrets
  | ((context: Context) => Secrets | Promise<Secrets>)
  | SubscriptionSecrets<Context>

/** A secret ready for use. */
export interface SecretKey {
  readonly name: string | undefined
  /** What the scheme made of the secret. */
  readonly key: unknown
  /** The secret in the clear, for its fingerprint. A function, so that nothing prints it by accident. */
  readonly reveal: () => string
  readonly accepted: AcceptedCounter
  /** What rejects everything but a check of the endpoint: the secret is one of a subscription that is not confirmed. */
  readonly pending?: WebhookError | undefined
}

type SchemeOfSecrets = Pick<
  Scheme,
  'name' | 'importKey' | 'importBytes' | 'secret' | 'title' | 'subscriptionOf'
>

interface KeyRingOptions {
  readonly scheme: SchemeOfSecrets
  /** How long a secret function may take, in seconds. */
  readonly timeout: number
  /** The name of the endpoint, if it has one. */
  readonly endpoint?: string | undefined
}

/** Returns the keys for a request, and for the subscription that it names. */
export type KeyRing<Context> = (
  context: Context,
  subscription?: string,
) => MaybeAsync<readonly SecretKey[]>

/**
 * A rotation has two secrets, and a few endpoints on one URL some more; with a hundred, a request costs several times as much. One text may
 * come from a platform's customer, so it never holds more.
 */
const MANY_SECRETS = 10

/** Before a service confirms a subscription, which takes seconds. Each of them costs a MAC. */
const MOST_PENDING = 100

/** Keys kept for a secret function, which may serve any number of tenants. */
const MAX_CACHED_KEYS = 1000

/**
 * Prepares the keys of the secrets, now where they are given, else when the function returns them, for which it has
 * `timeout` seconds.
 *
 * @throws TypeError for a secret that cannot be one; it names the endpoint, if that has a name.
 */
export function createKeyRing<Context>(
  source: SecretSource<Context>,
  { scheme, timeout, endpoint }: KeyRingOptions,
): KeyRing<Context> {
  const what = endpoint === undefined ? 'The secret' : `The secret of the endpoint "${endpoint}"`
  const prepare = ([name, secret]: NamedSecret): MaybeAsync<SecretKey> => {
    const label = labelOf(what, name)
    const parts = secretsIn(secret, scheme)
    if (parts.length > MANY_SECRETS) {
      throw new TypeError(
        `${label} holds ${parts.length} secrets, which are all tried for each delivery: at most ${MANY_SECRETS} are taken.`,
      )
    }
    for (const part of parts) checkKind(label, part, scheme)
    const accepted = new AcceptedCounter()
    const named = (key: unknown) => ({ name, key, reveal: () => secret, accepted })
    return thenMaybeAsync(scheme.importKey(secret, label), named)
  }
  checkSource(isSubscriptionSecrets(source), scheme)
  if (!isCallable(source) && !isSubscriptionSecrets(source)) {
    const secrets = checkedSecrets(source, what)
    if (secrets.length > MANY_SECRETS) {
      warnOnce(
        'many',
        `${what} is one of ${secrets.length}, which are all tried for each delivery: pass a function. ${SITE}/guides/secrets#one-secret-per-tenant`,
      )
    }
    const keys = allMaybeAsync(secrets.map(prepare))
    return () => keys
  }
  const cache = new Map<string, MaybeAsync<SecretKey>>()
  const cached = ([name, secret]: NamedSecret) => {
    const id = JSON.stringify([name, secret])
    const key = cache.get(id) ?? prepare([name, secret])
    // Deleted and set again, so that the map's order is that of last use and its first entry goes first.
    cache.delete(id)
    cache.set(id, key)
    const [oldest = id] = cache.keys()
    if (cache.size > MAX_CACHED_KEYS) cache.delete(oldest)
    return key
  }
  const late = () => rejection('secret_unavailable', { seconds: timeout })
  const inTime = <Value>(value: Value | Promise<Value>) => withTimeoutIfAsync(timeout, value, late)
  const keysOf = async (secrets: unknown) => {
    if (secrets === undefined) {
      throw new TypeError(`${what} is undefined: ${IS_SET}, or is the tenant unknown?`)
    }
    try {
      return await Promise.all(checkedSecrets(secrets, what).map(cached))
    } catch (error) {
      // A promise in the place of a secret may reject, too.
      Object.values(Object(secrets)).forEach(ignore)
      throw error
    }
  }

  /** Those of a subscription that is not known, or has ended: they only verify a check of the endpoint. */
  async function pendingKeys(
    subscriptions: SubscriptionSecrets<Context>,
    context: Context,
    pending: WebhookError,
  ): Promise<readonly SecretKey[]> {
    const secrets = await inTime(subscriptions.pending?.(context) ?? [])
    if (!Array.isArray(secrets) || secrets.length > MOST_PENDING) {
      throw new TypeError(`\`pending\` should return an array of at most ${MOST_PENDING} secrets.`)
    }
    if (secrets.length === 0) throw pending
    const keys = await keysOf({ ...secrets })
    return keys.map((key) => ({ ...key, name: undefined, pending }))
  }

  async function keysOfSubscription(
    subscriptions: SubscriptionSecrets<Context>,
    subscription: string,
    context: Context,
  ): Promise<readonly SecretKey[]> {
    try {
      const secrets = await inTime(subscriptions.secretsOf(subscription, context))
      if (secrets !== undefined) return await keysOf(secrets)
    } catch (error) {
      // Who subscribes again gets the subscription that has ended.
      if (isWebhookError(error) && error.reason === 'subscription_ended') {
        return await pendingKeys(subscriptions, context, error)
      }
      throw error
    }
    const unknown = rejection('subscription_unknown', { subscription })
    return await pendingKeys(subscriptions, context, unknown)
  }

  return async (context, subscription = '') => {
    try {
      return typeof source === 'function'
        ? await keysOf(await inTime(source(context)))
        : await keysOfSubscription(source, subscription, context)
    } catch (cause) {
      throw rejectionOf(cause, () => rejection('secret_unavailable', undefined, { cause }))
    }
  }
}

/** @throws TypeError where the header that names the subscription would be anybody's to write: with one secret for all, it is not signed. */
function checkSource(bySubscription: boolean, { name, subscriptionOf }: SchemeOfSecrets): void {
  if (bySubscription === (subscriptionOf !== undefined)) return
  throw new TypeError(
    bySubscription
      ? `Pass a secret instead of { secretsOf }: the requests of ${name} name no subscription.`
      : `Pass { secretsOf } instead of a secret: ${name} signs each subscription with its own. ${SITE}/guides/agents`,
  )
}

/** The secrets in a text, where the service keeps several in one. */
function secretsIn(text: string, { secret }: Pick<Scheme, 'secret'>): readonly string[] {
  return secret?.separator === undefined ? [text] : text.split(secret.separator).filter(Boolean)
}
