import type { Incoming, WebhookError } from '@webhook-receiver/core'
import {
  type BodyBuffer,
  isBytes,
  type ReadableBody,
  type Reading,
  type RemoteFacts,
  readBody,
  readStream,
  rejection,
  withoutOrigin,
} from '@webhook-receiver/core/adapter'
import type { Context } from 'hono'

/** The part of Node's Buffer that is needed, and only where there is Node's own request. */
declare const Buffer: { allocUnsafeSlow(size: number): Uint8Array<ArrayBuffer> }

/** The request of Node that @hono/node-server hands over beside the Request, as far as it is needed. */
export interface NodeIncoming extends ReadableBody {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly url?: string
  readonly httpVersionMajor: number
  readonly readableDidRead: boolean
  readonly readableFlowing: boolean | null
  /** What the server makes the body of its Request from, if something has read the stream (since 1.13.8). */
  rawBody?: unknown
}

/** A request of Hono, read from Node's own request where there is one and nobody has begun to read it. */
export class HonoIncoming implements Incoming<Context> {
  readonly method: string
  readonly context: Context
  /** Node's own request. The Request that @hono/node-server makes of it costs more than everything else. */
  node: NodeIncoming | undefined

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

  /** The body's bytes, also behind another receiver, or a validator that asked for them as such. */
  async readBody(reading: Reading): Promise<Uint8Array | BodyBuffer> {
    const { env, req, var: variables } = this.context
    const verified: unknown = variables.verification?.rawBody
    if (isBytes(verified)) return verified
    const { bodyCache } = req
    if (bodyCache.arrayBuffer) return new Uint8Array(await bodyCache.arrayBuffer)
    for (const form in bodyCache) throw alreadyRead(form)
    // If something in front has just asked for the Request, that takes the stream in a microtask: two readers would wait for
    // each other.
    await undefined
    const node = untouchedIncoming(env)
    this.node = node
    if (!node) return this.#readRequest(reading)
    return readStream(node, reading, Buffer.allocUnsafeSlow)
  }

  /**
   * Puts the bytes back for what reads the body behind the receiver: `c.req.json()`, `app.mount()`, a proxy that takes
   * `c.req.raw`. Nothing is kept of what was rejected, and its body is empty then.
   */
  restore(bytes?: Uint8Array): void {
    const { env, req } = this.context
    // The server makes its Request when something asks for it, and mostly nothing does.
    if (this.node) this.node.rawBody = bytes ?? Buffer.allocUnsafeSlow(0)
    else {
      const { raw } = req
      const { method, headers, signal } = raw
      const body = bytes?.slice() ?? ''
      // With `overrideGlobalObjects: false`, Node's own class cannot take the Request of the server.
      req.raw = new Request(incomingOf(env) ? req.url : raw, { method, headers, signal, body })
    }
  }

  async #readRequest(reading: Reading): Promise<Uint8Array> {
    const bytes = await readBody(this.context.req.raw, reading)
    // If something has read Node's own stream, the Request does not know it, and its body is empty.
    if (bytes.length === 0 && this.declared > 0) throw alreadyRead()
    return bytes
  }

  /** The Content-Length; 0 where there is none. */
  get declared(): number {
    return Number(this.header('content-length') ?? 0)
  }

  remote(): RemoteFacts {
    return { url: urlOf(this.context), userAgent: this.header('user-agent') }
  }
}

/** What Hono knows of its requests. */
export const HONO: { readonly url: (context: Context) => string } = { url: urlOf }

/** The path and query that were requested, which the URL of a Request need not have. */
function urlOf({ env, req }: Context): string {
  return incomingOf(env)?.url ?? withoutOrigin(req.url)
}

function incomingOf(env: unknown): NodeIncoming | undefined {
  return (env as { readonly incoming?: NodeIncoming } | null | undefined)?.incoming
}

function untouchedIncoming(env: unknown): NodeIncoming | undefined {
  const incoming = incomingOf(env)
  return incoming?.readableDidRead === false && incoming.readableFlowing === null
    ? incoming
    : undefined
}

function alreadyRead(form?: string): WebhookError {
  const by =
    form === undefined
      ? 'before the receiver got it'
      : `as ${form} by a validator or another middleware, and Hono keeps no bytes`
  return rejection('body_already_read', { by, advice: 'Mount the receiver before it.' })
}
