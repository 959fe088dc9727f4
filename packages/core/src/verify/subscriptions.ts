import { type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { rejection } from '../reject/rejection.ts'
import type { WebhookError } from '../reject/webhook-error.ts'
import { isCallable } from '../validate/callable.ts'
import { isRecord } from '../validate/record.ts'
import { mac } from './runtime-mac.ts'
import type { Scheme } from './scheme.ts'

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
  return isRecord(source) && isCallable(source.secretsOf)
}

/** The secrets that a tool was given as a receiver of this scheme takes them: for every subscription, where it asks for one. */
export function sourceFor(
  scheme: Pick<Scheme, 'subscriptionOf'> | undefined,
  secrets: Secrets,
): Secrets | SubscriptionSecrets {
  return scheme?.subscriptionOf ? { secretsOf: () => secrets } : secrets
}

/** What a secret function throws for a subscription that has ended: the status is 410, after which the service stops. */
export function subscriptionEnded(): WebhookError {
  return rejection('subscription_ended')
}

const NAME = /^[\w.-]{1,200}$/

/**
 * A subscription as the part of `verification.endpoint` that is the name of a tenant. What cannot be such a name is hashed, and so is what
 * looks hashed.
 */
export function tenantOfSubscription(
  subscription: string,
  tenant: string | undefined,
): MaybeAsync<string> {
  if (tenant === undefined && NAME.test(subscription) && !subscription.startsWith(HASHED)) {
    return subscription
  }
  const digest = mac.sha256Hex(JSON.stringify([tenant, subscription]))
  return thenMaybeAsync(digest, (hexadecimal) => HASHED + hexadecimal.slice(0, 56))
}

const HASHED = 'sha256.'
