import type { Scheme } from '@webhook-receiver/core'
import { type JwksOptions, jwks } from '../keys/jwks.ts'
import { jwtScheme } from '../scheme.ts'
import type { JwtKind, JwtService } from '../service.ts'

export interface GoogleOptions extends Pick<JwksOptions, 'fetch' | 'now'> {
  /** The audience that you set where you chose the service account; if you set none, the whole URL of your endpoint. */
  readonly audience: string | readonly string[]
}

interface Push extends JwtService {
  readonly body: 'unsigned'
}

export interface PubSub extends Push {
  readonly name: 'google-pubsub'
  readonly id: { readonly pointer: '/message/messageId' }
}

export interface CloudTasks extends Push {
  readonly name: 'google-cloud-tasks'
  readonly id: { readonly header: 'x-cloudtasks-taskname' }
}

/** The issuers and the keys of Google's accounts (accounts.google.com/.well-known/openid-configuration). */
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const KEYS = 'https://www.googleapis.com/oauth2/v3/certs'

/**
 * Pub/Sub, whose push subscription sends with a service account. The secret is the email of that account: Google signs such tokens for every
 * customer. **The body is not signed**: whoever holds one of its tokens can write messages until it expires, which is an hour.
 *
 * @throws TypeError without an audience.
 *
 * @example
 * webhookHandler('push@my-project.iam.gserviceaccount.com', handle, {
 *   scheme: googlePubSub({ audience: 'https://example.com/webhooks/pubsub' }),
 * })
 */
export function googlePubSub(options: GoogleOptions): Scheme<unknown, JwtKind<PubSub>> {
  const service: PubSub = {
    ...pushOf(options),
    name: 'google-pubsub',
    title: 'Google Pub/Sub',
    id: { pointer: '/message/messageId' },
    withoutId: 'there: turn payload unwrapping off',
    requests: { signing: 'enable authentication in its subscription' },
    // The acknowledgement deadline of a subscription that has not set another.
    patience: 10,
    // 10 MB of data and attributes (cloud.google.com/pubsub/quotas), in base64 in JSON.
    largest: 14_680_064,
  }
  return jwtScheme(service)
}

/**
 * Cloud Tasks, whose tasks are sent with a service account, as Pub/Sub's messages are. **The body is not signed.** The id is the name of the
 * task in its queue.
 *
 * @throws TypeError without an audience.
 */
export function googleCloudTasks(options: GoogleOptions): Scheme<unknown, JwtKind<CloudTasks>> {
  const service: CloudTasks = {
    ...pushOf(options),
    name: 'google-cloud-tasks',
    title: 'Google Cloud Tasks',
    id: { header: 'x-cloudtasks-taskname' },
    requests: { signing: 'give the task an OIDC token' },
    mayBeEmpty: true,
    // 10 minutes, which a task can change (cloud.google.com/tasks/docs/creating-http-target-tasks).
    patience: 600,
  }
  return jwtScheme(service)
}

function pushOf({ audience, ...fetching }: GoogleOptions) {
  return {
    token: { header: 'authorization', bearer: true },
    algorithm: 'RS256',
    keys: jwks(KEYS, fetching),
    body: 'unsigned',
    issuer: ISSUERS,
    audience,
    account: 'email',
    secret: { called: 'the email of the service account' },
  } as const satisfies Partial<JwtService>
}
