import type { AdapterSetup, RunningAdapter } from '@webhook-receiver/conformance'
import type { SchemeKind, WebhookContext, WebhookHandlerOptions } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { afterEach } from 'vitest'

/** What an adapter gets to start `webhookHandler(secret, handlers, { now, onRejected: false, ...options })`, or its middleware. */
interface SchemeSetup extends Pick<AdapterSetup, 'secret' | 'now' | 'path'> {
  /** For `any` event. */
  readonly work: (delivery: object, context: WebhookContext<unknown>) => unknown
  readonly options: WebhookHandlerOptions<NoSchemas, never, undefined, unknown, SchemeKind> & {
    readonly duplicates: 'id' | 'body' | undefined
  }
}

export type StartScheme = (setup: SchemeSetup) => RunningAdapter | Promise<RunningAdapter>

/** Starts an adapter with a scheme, and gives the function that posts to it. */
export type StartPosting = (
  work: SchemeSetup['work'],
  options: Partial<SchemeSetup['options']>,
  secret?: string,
) => Promise<Post>

type Post = (
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  target?: string,
) => Promise<Response>

export const SECRET = 'shared by hand'

/** The clock of the receiver, in seconds. */
export const TIME = 1_795_000_000

/** Call it inside of `describe`: what was started is closed behind each test. */
export function posting(start: StartScheme): StartPosting {
  const running: RunningAdapter[] = []
  afterEach(() => Promise.all(running.splice(0).map((adapter) => adapter.close())))
  return async (work, given, secret = SECRET) => {
    const options = { duplicates: undefined, ...given }
    const now = () => TIME * 1000
    const adapter = await start({ secret, now, path: '/webhooks', work, options })
    running.push(adapter)
    return (headers, body, target = '/webhooks') =>
      fetch(`http://127.0.0.1:${adapter.port}${target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
  }
}
