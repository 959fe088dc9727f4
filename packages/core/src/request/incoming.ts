import type { HeaderLookup } from '../verify/scheme.ts'
import type { Body } from './body-buffer.ts'
import type { Reading } from './reading.ts'

/** A request as an adapter describes it. */
export interface Incoming<Context> {
  readonly method: string
  readonly header: HeaderLookup
  /**
   * Reads the body. Called once, and only after the headers were checked. What arrives piece by piece is read by a function that takes
   * the argument whole, such as `readStream`, which rejects with a WebhookError past each of its bounds.
   *
   * The promise of a slow upload is collected late, with all that it holds: a `Body` hands the bytes over.
   */
  readBody(reading: Reading): Uint8Array | Promise<Uint8Array | Body>
  /** The argument of a secret function: the framework's own request or context. */
  readonly context: Context
  /** Returns what is known of the sender. Called only if there is a hook. */
  remote?(): RemoteFacts
}

/** The part of a described request that is passed to hooks. */
export type Sender = Pick<Incoming<unknown>, 'method' | 'header' | 'remote'>

/** What an adapter knows of the sender. The sender can invent all of it. */
export interface RemoteFacts {
  /**
   * The sender's address as the framework reports it. Express, Koa and Fastify use X-Forwarded-For if the
   * application trusts its proxy. Otherwise, and on plain Node, it is the address of the other end of the
   * connection. `undefined` on Hono and for a web-standard Request, which do not know it.
   */
  readonly address?: string | undefined
  /** The path and query as requested. */
  readonly url?: string | undefined
  readonly userAgent?: string | undefined
}
