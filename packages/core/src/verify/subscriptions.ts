import { type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { rejection } from '../reject/rejection.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'
import { isRecord } from '../validate/check-options.ts'
import { mac } from './runtime-mac.ts'
import type { SignedHead } from './signed.ts'

/** One secret, or several by name for a rotation. With several, any of them may match. */
export type Secrets = string | Readonly<Record<string, string | undefined>> | undefined

/**
 * The secrets of a service that signs each subscription with another one, which the request names in a header. The header is not signed,
 * so only the secret that is found by it says that it is right.
 */
export interface SubscriptionSecrets<Context = unknown, More extends readonly unknown[] = []> {
  /**
   * The secrets of a subscription: during a rotation, both. `undefined` if it is not known, or not yet: the status is 503, so that the
   * service retries. Throw `subscriptionEnded()` for one that has ended: the status is 410.
   */
  secretsOf(subscription: string, request: Context, ...more: More): Secrets | Promise<Secrets>
  /**
   * The secrets of subscriptions that the service has not confirmed, at most 100: it checks the endpoint before it responds to the request
   * that subscribes. They verify such a check and nothing else. They are tried if `secretsOf` does not know the subscription.
   */
  pending?(request: Context, ...more: More): readonly string[] | Promise<readonly string[]>
}

export function isSubscriptionSecrets<Context, More extends readonly unknown[]>(
  source: Secrets | object | undefined,
): source is SubscriptionSecrets<Context, More> {
  return isRecord(source) && typeof source.secretsOf === 'function'
}

/** What a scheme brings whose requests name their subscription, so that a bundle for the others does not hold it. */
export interface Subscriptions {
  /** Returns the name that a request gives in a header. */
  nameIn(head: SignedHead): string
  readonly keysOf: typeof keysOf
  readonly tenantOf: typeof tenantOf
}

/** Makes that, with what reads the name. */
export function subscriptionsBy(nameIn: Subscriptions['nameIn']): Subscriptions {
  return { nameIn, keysOf, tenantOf }
}

/** The secrets that a tool was given as a receiver of this scheme takes them: for every subscription, where it asks for one. */
export function sourceFor(
  scheme: { readonly subscriptions?: Subscriptions | undefined } | undefined,
  secrets: Secrets,
): Secrets | SubscriptionSecrets {
  return scheme?.subscriptions ? { secretsOf: () => secrets } : secrets
}

/** What a secret function throws for a subscription that has ended: the status is 410, after which the service stops. */
export function subscriptionEnded(): WebhookError {
  return rejection('subscription_ended')
}

/** How a receiver gets keys. */
interface Lookup<Key> {
  /** Waits for what a secret function returns, as long as that may take. */
  inTime<Value>(value: Value | Promise<Value>): Value | Promise<Value>
  keysOf(secrets: unknown): Promise<readonly Key[]>
}

/** Before a service confirms a subscription, which takes seconds. Each of them costs a MAC. */
const MOST_PENDING = 100

/**
 * The keys of a subscription. Where it is not known, or has ended, they are those of all that are not confirmed, which only verify a check
 * of the endpoint.
 */
async function keysOf<Context, Key extends object>(
  subscriptions: SubscriptionSecrets<Context>,
  subscription: string,
  context: Context,
  { inTime, keysOf }: Lookup<Key>,
): Promise<readonly (Key & { readonly pending?: WebhookError })[]> {
  async function pendingKeys(pending: WebhookError) {
    const secrets = await inTime(subscriptions.pending?.(context) ?? [])
    if (!Array.isArray(secrets) || secrets.length > MOST_PENDING) {
      throw new TypeError(`\`pending\` should return an array of at most ${MOST_PENDING} secrets.`)
    }
    if (secrets.length === 0) throw pending
    const keys = await keysOf({ ...secrets })
    return keys.map((key) => ({ ...key, name: undefined, pending }))
  }

  try {
    const secrets = await inTime(subscriptions.secretsOf(subscription, context))
    if (secrets !== undefined) return await keysOf(secrets)
  } catch (error) {
    // Who subscribes again gets the subscription that has ended.
    if (isWebhookError(error) && error.reason === 'subscription_ended') {
      return await pendingKeys(error)
    }
    throw error
  }
  return pendingKeys(rejection('subscription_unknown', { subscription }))
}

const NAME = /^[\w.-]{1,200}$/

/**
 * A subscription as the part of `verification.endpoint` that is the name of a tenant. What cannot be such a name is hashed, and so is what
 * looks hashed.
 */
function tenantOf(subscription: string, tenant: string | undefined): MaybeAsync<string> {
  if (tenant === undefined && NAME.test(subscription) && !subscription.startsWith(HASHED)) {
    return subscription
  }
  const digest = mac.sha256Hex(JSON.stringify([tenant, subscription]))
  return thenMaybeAsync(digest, (hexadecimal) => HASHED + hexadecimal.slice(0, 56))
}

const HASHED = 'sha256.'
