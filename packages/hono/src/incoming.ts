import {
  type Incoming,
  type ReadableBody,
  Refusal,
  type RemoteFacts,
  readBody,
  readStream,
} from '@webhook-receiver/core/adapter'
import type { Context } from 'hono'

/** The request of Node that @hono/node-server hands over beside the Request, as far as it is needed. */
export interface NodeIncoming extends ReadableBody {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly readableDidRead: boolean
  readonly readableFlowing: boolean | null
}

/** A request of Hono, read from Node's own request where there is one and nobody has begun to read it. */
export class HonoIncoming implements Incoming<Context> {
  readonly method: string
  readonly context: Context
  /** Node's own request. The Request that @hono/node-server makes of it costs more than everything else. */
  readonly node: NodeIncoming | undefined

  constructor(context: Context) {
    this.method = context.req.method
    this.context = context
    this.node = untouchedIncoming(context.env)
  }

  header(name: string): string | undefined {
    if (!this.node) return this.context.req.header(name)
    const value = this.node.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  /** The body's bytes, also behind a validator that asked for them as such. */
  readBody(limit: number, timeout: number): Promise<Uint8Array> {
    const { bodyCache } = this.context.req
    if (bodyCache.arrayBuffer) return bytesOf(bodyCache.arrayBuffer)
    for (const form in bodyCache) throw alreadyRead(form)
    const { node, declared } = this
    return node ? readStream(node, { limit, timeout, declared }) : this.#readRequest(limit, timeout)
  }

  async #readRequest(limit: number, timeout: number): Promise<Uint8Array> {
    const bytes = await readBody(this.context.req.raw, limit, timeout)
    // If something has read Node's own stream, the Request does not know it, and its body is empty.
    if (bytes.length === 0 && this.declared > 0) throw alreadyRead()
    return bytes
  }

  /** The Content-Length; 0 where there is none. */
  get declared(): number {
    return Number(this.header('content-length') ?? 0)
  }

  headers(): readonly (readonly [string, string])[] {
    return Object.entries(this.context.req.header())
  }

  remote(): RemoteFacts {
    return { url: this.context.req.path, userAgent: this.header('user-agent') }
  }
}

async function bytesOf(cached: ArrayBuffer | Promise<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await cached)
}

function untouchedIncoming(env: unknown): NodeIncoming | undefined {
  const incoming = (env as { readonly incoming?: NodeIncoming } | null | undefined)?.incoming
  return incoming?.readableDidRead === false && incoming.readableFlowing === null
    ? incoming
    : undefined
}

function alreadyRead(form?: string): Refusal {
  const by =
    form === undefined
      ? 'before the receiver got it'
      : `as ${form} by a validator or another middleware before it, and Hono does not keep the signed bytes`
  return new Refusal('body_already_read', { by, advice: 'Mount webhookMiddleware before it.' })
}
