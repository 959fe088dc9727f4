import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Received, type Receiver, WebhookError } from '@webhook-receiver/core/adapter'
import { readBody } from './body.ts'
import { alreadyRead, findRawBody } from './captured-body.ts'
import { respondEarly } from './early-response.ts'

/** A request and its response, as a framework on Node knows them. */
export interface Exchange<Context> {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** What a secret function is given. */
  readonly context: Context
  /** Where the framework keeps a body that a parser has read, besides `req` itself. */
  readonly holder?: object
  /**
   * The sender's address as the framework finds it, behind a proxy that the application trusts; asked for only
   * where a hook is called.
   * @default the address of the other end of the connection
   */
  address?(): string | undefined
  /** The names of the middlewares in front, asked for only to find out which one read the body. */
  middleware?(): Iterable<string>
  /** What to do where the body was read already, in terms of the framework. */
  readonly advice: string
  /** Called before the receiver writes the response by itself. */
  takeOver?(): void
}

/**
 * Receives the delivery of a Node request.
 *
 * Resolves to `undefined` where the request was refused and has been answered already, because the
 * framework's own answer would not reach the sender: then nothing more may be done with it.
 *
 * @throws WebhookError for the framework's own error path; the body has been read to its end by then.
 */
export async function receiveIncoming<Attached, Context>(
  receiver: Receiver<Attached, Context>,
  exchange: Exchange<Context>,
): Promise<Received<Attached> | undefined> {
  const { req, context } = exchange
  try {
    return await receiver.receive({
      method: req.method ?? '',
      header: (name) => headerOf(req, name),
      readBody: (limit, timeout) => bodyOf(exchange, limit, timeout),
      context,
      remote: () => ({
        address: addressOf(exchange),
        url: req.url,
        userAgent: req.headers['user-agent'],
      }),
    })
  } catch (error) {
    if (error instanceof WebhookError && (await respondEarly(exchange, error, receiver.limit))) {
      return undefined
    }
    throw error
  }
}

/** What an address may hold, IPv6 with a zone and a port included: a header that a proxy passed on may hold anything. */
const ADDRESS = /^[\w.:%[\]-]{1,64}$/

function addressOf<Context>(exchange: Exchange<Context>): string | undefined {
  const { remoteAddress } = exchange.req.socket
  try {
    const address = exchange.address?.()
    return address && ADDRESS.test(address) ? address : remoteAddress
  } catch {
    // The application's own rule of whom to trust, or a getter that needs a socket that is gone.
    return remoteAddress
  }
}

/** Not `req.headersDistinct`: on Node builds before March 2026 a header named `__proto__` makes it throw. */
function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

function bodyOf<Context>(
  { req, holder, middleware, advice }: Exchange<Context>,
  limit: number,
  timeout: number,
): Uint8Array | Promise<Uint8Array> {
  const kept = findRawBody(req) ?? (holder && findRawBody(holder))
  if (kept) return kept
  if (req.readableDidRead || req.readableEnded) throw alreadyRead(middleware?.(), advice)
  return readBody(req, limit, timeout)
}
