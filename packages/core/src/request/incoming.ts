import type { HeaderLookup } from '../verify/headers.ts'

/** A request as an adapter describes it. */
export interface Incoming<Context> {
  readonly method: string
  readonly header: HeaderLookup
  /**
   * Reads the body, once, and only after the headers were checked. Rejects with a WebhookError
   * `body_too_large` past `limit` bytes, `body_timeout` after `timeout` seconds, `body_incomplete` where the sender
   * stops, `body_already_read`.
   */
  readBody(limit: number, timeout: number): Uint8Array | Promise<Uint8Array>
  /** What a secret function is given: the framework's own request or context. */
  readonly context: Context
  /** What is known of the sender; called only where there is a hook to call. */
  remote?(): RemoteFacts
  /** All headers, names and values as received; called only for what goes into quarantine. */
  headers?(): readonly (readonly [name: string, value: string])[]
}

/** The part of a described request that is passed to hooks. */
export type Sender = Pick<Incoming<unknown>, 'method' | 'header' | 'remote' | 'headers'>

/** What an adapter knows of the request. Any of it can be made up by whoever sent the request. */
export interface RemoteFacts {
  /**
   * The sender's address as the framework finds it: Express, Koa and Fastify go by X-Forwarded-For where the
   * application trusts its proxy; without that, and on plain Node, it is the address of the other end of the
   * connection. `undefined` on Hono and for a web-standard Request, which do not know it.
   */
  readonly address?: string | undefined
  /** The path and query as requested. */
  readonly url?: string | undefined
  readonly userAgent?: string | undefined
}
