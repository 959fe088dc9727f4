import type { NamedScheme } from './named-scheme.ts'

/** What no file says of the services that sign by JWT. */
export const TOKENS: Readonly<Record<string, TokenService>> = {
  livekit: {
    variable: 'LIVEKIT_API_SECRET',
    where: 'The API secret of the project, beside the API key.',
    event: 'room_started',
  },
  qstash: {
    variable: 'QSTASH_CURRENT_SIGNING_KEY',
    where: 'The current signing key. Before you roll the keys, pass both, as `{ current, next }`.',
    // A schedule sends the same body each time.
    duplicates: 'id',
  },
  'google-pubsub': {
    variable: 'PUBSUB_SERVICE_ACCOUNT',
    where: 'The email of the service account of the push subscription.',
    call: "googlePubSub({\n  audience: 'https://example.com/webhooks/google-pubsub',\n})",
    // Workers have no Buffer unless a flag is set.
    work: `const { message } = data as { message: { data?: string } }
const binary = atob(message.data ?? '')
const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
console.log(id, new TextDecoder().decode(bytes))`,
    duplicates: 'id',
  },
  'google-cloud-tasks': {
    variable: 'TASKS_SERVICE_ACCOUNT',
    where: 'The email of the service account that the tasks name.',
    call: "googleCloudTasks({\n  audience: 'https://example.com/webhooks/google-cloud-tasks',\n})",
    duplicates: 'id',
  },
  'app-store': {
    variable: 'APP_STORE_BUNDLE_ID',
    where: 'The bundle ID of the app.',
    call: 'appStore({ appAppleId: 1234567890 })',
    event: 'SUBSCRIBED',
  },
}

interface TokenService {
  readonly variable: string
  readonly where: string
  /** Code that makes the scheme, with an example of what only a user knows. */
  readonly call?: string
  /** Code of a handler that decodes what it is given, in TypeScript, of which it has at most a type behind `as` at the end of a line. */
  readonly work?: string
  readonly event?: string
  readonly duplicates?: 'id'
}

/** All schemes of `@webhook-receiver/jwt`, also those with options: what `add` writes is an example to correct. */
export async function tokenSchemes(): Promise<readonly NamedScheme[]> {
  const from = '@webhook-receiver/jwt'
  const jwt = await import('@webhook-receiver/jwt')
  const audience = 'https://example.com'
  const schemes = {
    livekit: jwt.livekit,
    qstash: jwt.qstash,
    googlePubSub: jwt.googlePubSub({ audience }),
    googleCloudTasks: jwt.googleCloudTasks({ audience }),
    appStore: jwt.appStore({ appAppleId: 1234567890 }),
  }
  return Object.entries(schemes).map(([exported, scheme]) => ({ exported, from, scheme }))
}
