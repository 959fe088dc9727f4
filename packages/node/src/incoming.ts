import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Incoming, Received } from '@webhook-receiver/core'
import type {
  AdapterReceiver,
  BodyBuffer,
  Reading,
  RemoteFacts,
} from '@webhook-receiver/core/adapter'
import { alreadyRead, findRawBody, readBody } from './body.ts'
import { respondedEarly } from './response.ts'

/** What a framework on Node knows of its requests. `Context` is the framework's own request or context. */
export interface Framework<Context> {
  /** Returns the object in which the framework keeps a parsed body, besides Node's own request. */
  holder?(context: Context): object
  /**
   * Returns the sender's address as the framework reports it, behind a proxy that the application trusts. Called only if
   * a hook is called.
   * @default the address of the other end of the connection
   */
  address?(context: Context): string | undefined
  /**
   * Returns the request target before any mount cut off a part. Called only if a hook is called, and for the line that is
   * printed when a handler fails, which names no path without it.
   * @default the `url` of the request, for hooks
   */
  url?(context: Context): string | undefined
  /** Returns the names of the middlewares that ran before. Called only to find the one that read the body. */
  middleware?(context: Context): Iterable<string>
  /** Tells the user of this framework what to do if the body was already read. */
  readonly advice: string
}

/**
 * Receives the delivery of a Node request.
 *
 * Resolves to `undefined` if the request was rejected past a bound, where the framework's own response would not reach the
 * sender: it was sent then, so do nothing more with it. Otherwise it rejects with a WebhookError to respond with; the body
 * was then read to its end.
 */
export type IncomingReceiver<Attached, Context> = (
  req: IncomingMessage,
  res: ServerResponse,
  /** What a secret function is given. */
  context: Context,
  /** Called before the receiver itself writes the response. */
  takeOver?: () => void,
) => Promise<Received<Attached> | undefined>

/** Creates the function that receives the requests of a framework. */
export function incomingReceiver<Attached, Context>(
  receiver: AdapterReceiver<Attached, Context>,
  framework: Framework<Context>,
): IncomingReceiver<Attached, Context> {
  return (req, res, context, takeOver) =>
    receiver.receive(new NodeIncoming(req, res, context, framework)).catch(async (error) => {
      if (await respondedEarly({ req, res, takeOver }, error, receiver.limit)) return undefined
      throw error
    })
}

/** A class, because an object with a function for each of these would be made for every request. */
export class NodeIncoming<Context> implements Incoming<Context> {
  readonly method: string
  readonly context: Context
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #headers: IncomingMessage['headers']
  readonly #framework: Framework<Context>

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    context: Context,
    framework: Framework<Context>,
  ) {
    this.method = req.method ?? ''
    this.context = context
    this.#req = req
    this.#res = res
    // Kept, because `req.headers` is an accessor, and each request is asked for five of them.
    this.#headers = req.headers
    this.#framework = framework
  }

  /** Not by `req.headersDistinct`: on Node builds before March 2026 a header named `__proto__` makes it throw. */
  header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === 'string' ? value : undefined
  }

  readBody(reading: Reading): Uint8Array | Promise<BodyBuffer> {
    const req = this.#req
    const { holder, middleware, advice } = this.#framework
    const kept = findRawBody(req) ?? (holder && findRawBody(holder(this.context)))
    if (kept) return kept
    if (req.readableDidRead || req.readableEnded) {
      throw alreadyRead(this.#res, middleware?.(this.context), advice)
    }
    return readBody(req, reading)
  }

  remote(): RemoteFacts {
    const url = this.#framework.url?.(this.context) ?? this.#req.url
    return { address: this.#address(), url, userAgent: this.#headers['user-agent'] }
  }

  #address(): string | undefined {
    const { remoteAddress } = this.#req.socket
    try {
      const address = this.#framework.address?.(this.context)
      return address && ADDRESS.test(address) ? address : remoteAddress
    } catch {
      // The application's own rule of whom to trust, or a getter that needs a socket that is gone.
      return remoteAddress
    }
  }
}

/** What an address may hold, IPv6 with a zone and a port included: a header that a proxy passed on may hold anything. */
const ADDRESS = /^[\w.:%[\]-]{1,64}$/
