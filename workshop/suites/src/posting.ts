import { createHmac } from 'node:crypto'
import type { AdapterSetup, RunningAdapter } from '@webhook-receiver/conformance'
import type { SchemeKind, WebhookContext, WebhookHandlerOptions } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { signDelivery } from '@webhook-receiver/core/testing'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_by_hand'

/** The clock of the receiver, in seconds. */
export const TIME = 1_795_000_000

export const ORIGIN = 'https://hooks.example.com'

/** What an adapter gets to start `webhookHandler(secret, handlers, { now, onRejected: false, ...options })`, or its middleware. */
interface ReceiverSetup extends Pick<AdapterSetup, 'secret' | 'now' | 'path'> {
  /** For `any` event. */
  readonly work: (delivery: object, context: WebhookContext<unknown>) => unknown
  readonly options: WebhookHandlerOptions<NoSchemas, never, undefined, unknown, SchemeKind> & {
    readonly duplicates: 'id' | 'body' | undefined
  }
}

export type StartReceiver = (setup: ReceiverSetup) => RunningAdapter | Promise<RunningAdapter>

/** Starts an adapter, and gives the function that posts to it. */
export type StartPosting = (
  work: ReceiverSetup['work'],
  options: Partial<ReceiverSetup['options']>,
) => Promise<Post>

export type Post = (
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  target?: string,
) => Promise<Response>

/** What is started is closed when the test is over. */
export function posting(start: StartReceiver): {
  readonly begin: (...args: Parameters<StartPosting>) => Promise<number>
  readonly started: StartPosting
} {
  const begin = async (...[work, given]: Parameters<StartPosting>) => {
    const options = { duplicates: undefined, ...given }
    const now = () => TIME * 1000
    const adapter = await start({ secret: SECRET, now, path: '/webhooks', work, options })
    onTestFinished(() => adapter.close())
    return adapter.port
  }
  return { begin, started: async (work, given) => postTo(await begin(work, given)) }
}

export function postTo(port: number): Post {
  return (headers, body, target = '/webhooks') =>
    fetch(`http://127.0.0.1:${port}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      ...FOR_STREAMS,
    })
}

/** The type of `fetch` does not know it. */
const FOR_STREAMS = { duplex: 'half' } as const

/** What `fetch` sends a valid delivery with. */
export async function signedPost(
  secret: string,
  event = 'message.received',
): Promise<{ method: string } & Awaited<ReturnType<typeof signDelivery>>> {
  const { headers, body } = await signDelivery(secret, event)
  return { method: 'POST', headers, body }
}

// Not by `sign` of the schemes, so that a mistake cannot be in both.

export function bodyHeaders(body: string): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  return { 'X-Body-Id': 'one', 'X-Body-Event': 'push', 'X-Body-Signature': `sha256=${signature}` }
}

export function challengeHeaders(url: string, body: string): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', SECRET).update(`${TIME}.${url}.${body}`).digest('base64')
  return { 'X-Challenge-Time': String(TIME), 'X-Challenge-Signature': signature }
}
