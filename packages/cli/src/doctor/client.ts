import {
  type Address,
  Connection,
  exchange,
  type Reply,
} from '@webhook-receiver/conformance/internal'
import type { MakeRequests, ProbeRequest, Variant } from './request.ts'

/** The response to a request: a status, or `closed`, `cut`, `garbage`, `timeout`, `unreachable`. */
export interface Response {
  readonly outcome: string
  /** Why there is no connection. */
  readonly why?: string
  readonly body?: string
  /** Whether the response has `Connection: close`. */
  readonly closes?: boolean
}

/** Sends the requests of a probe to one receiver: byte for byte, also where HTTP forbids it. */
export class ProbeClient {
  readonly makeAll: MakeRequests
  /** The header with an identifier that is not signed; empty where the service has none. */
  readonly idHeader: string
  readonly #url: URL
  readonly #address: Address
  readonly #timeout: number

  /** `timeout` is how long a response may take, in milliseconds. */
  constructor(url: URL, makeAll: MakeRequests, timeout: number, idHeader = '') {
    const secure = url.protocol === 'https:'
    this.makeAll = makeAll
    this.idHeader = idHeader
    this.#url = url
    this.#timeout = timeout
    this.#address = {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (secure ? 443 : 80)),
      ...(secure && { tls: {} }),
    }
  }

  async make(variant: Variant = {}): Promise<ProbeRequest> {
    const [request] = await this.makeAll([variant])
    if (request) return request
    throw new TypeError('The service has no neighbour of this kind.')
  }

  /** Sends each request on a separate connection, one after the other. */
  async sendSeparately(requests: readonly ProbeRequest[]): Promise<Response[]> {
    const responses: Response[] = []
    for (const request of requests) responses.push(...(await this.sendOnOneConnection([request])))
    return responses
  }

  /** Sends each request on a separate connection, all at the same time. */
  async sendConcurrently(requests: readonly ProbeRequest[]): Promise<Response[]> {
    return (await Promise.all(requests.map((one) => this.sendOnOneConnection([one])))).flat()
  }

  /**
   * Sends the requests on one connection. A receiver may close it: the next request then opens a new
   * one, as a client does.
   */
  async sendOnOneConnection(requests: readonly ProbeRequest[]): Promise<Response[]> {
    const responses: Response[] = []
    let connection: Connection | undefined
    try {
      for (const request of requests) {
        const reused = connection !== undefined
        connection ??= await Connection.open(this.#address)
        let response = await this.#exchange(connection, request)
        if (reused && response.outcome === 'closed') {
          connection.close()
          connection = await Connection.open(this.#address)
          response = await this.#exchange(connection, request)
        }
        responses.push(response)
        if (response.closes !== true) continue
        connection.close()
        connection = undefined
      }
    } catch (error) {
      responses.push(unreachable(error))
    } finally {
      connection?.close()
    }
    return responses
  }

  /** Sends one request. Resolves to its response and to whatever follows it within some milliseconds. */
  async sendAndWait(
    request: ProbeRequest,
    within: number,
  ): Promise<readonly [Response, Response?]> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(this.#address)
      const first = await this.#exchange(connection, request)
      const second = await connection.finalReply('POST', performance.now() + within)
      return [first, toResponse(second)]
    } catch (error) {
      return [unreachable(error)]
    } finally {
      connection?.close()
    }
  }

  async #exchange(connection: Connection, request: ProbeRequest): Promise<Response> {
    const vector = {
      method: request.method ?? 'POST',
      path: `${this.#url.pathname}${this.#url.search}`,
      http: 'HTTP/1.1',
      host: false,
      headers: [['Host', this.#url.host], AGENT, ...request.headers] as const,
      body: { base64: request.body.toString('base64') },
      framing: request.framing ?? 'content-length',
      ...(request.send && { send: request.send }),
    }
    return toResponse(await exchange(connection, vector, performance.now() + this.#timeout))
  }
}

const AGENT = ['User-Agent', 'webhook-receiver-doctor'] as const

function toResponse(reply: Reply): Response {
  if (typeof reply === 'string') return { outcome: reply }
  return {
    outcome: String(reply.status),
    body: reply.body.toString(),
    closes: /\bclose\b/i.test(reply.headers.get('connection') ?? ''),
  }
}

function unreachable(error: unknown): Response {
  // A name with several addresses fails with an AggregateError, whose own message is empty.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return { outcome: 'unreachable', why: first instanceof Error ? first.message : String(first) }
}
