import { Connection, exchange, type Reply } from '@webhook-receiver/conformance/client'
import type { ProbeRequest, ProbeSettings } from './probe-request.ts'
import type { ReceiverUrl } from './receiver-url.ts'

/** The answer to a request: a status, or `closed`, `cut`, `garbage`, `timeout`, `unreachable`. */
export interface Answer {
  readonly outcome: string
  /** Why there is no connection. */
  readonly why?: string
  readonly body?: string
  /** Whether the answer has `Connection: close`. */
  readonly closes?: boolean
}

/** Sends the requests of a probe to one receiver. */
export class ProbeClient {
  readonly settings: ProbeSettings
  readonly #url: ReceiverUrl
  readonly #timeout: number

  /** `timeout` is how long an answer may take, in milliseconds. */
  constructor(url: ReceiverUrl, settings: ProbeSettings, timeout: number) {
    this.settings = settings
    this.#url = url
    this.#timeout = timeout
  }

  /** Sends each request on its own connection, one after the other. */
  async sendSeparately(requests: readonly ProbeRequest[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const request of requests) answers.push(...(await this.sendOnOneConnection([request])))
    return answers
  }

  /** Sends each request on its own connection, all at the same time. */
  async sendConcurrently(requests: readonly ProbeRequest[]): Promise<Answer[]> {
    return (
      await Promise.all(requests.map((request) => this.sendOnOneConnection([request])))
    ).flat()
  }

  /**
   * Sends the requests on one connection. A receiver may close it: the next request then opens a new
   * one, as a client does.
   */
  async sendOnOneConnection(requests: readonly ProbeRequest[]): Promise<Answer[]> {
    const answers: Answer[] = []
    let connection: Connection | undefined
    try {
      for (const request of requests) {
        const reused = connection !== undefined
        connection ??= await Connection.open(this.#url.address)
        let answer = await this.#exchange(connection, request)
        if (reused && answer.outcome === 'closed') {
          connection.close()
          connection = await Connection.open(this.#url.address)
          answer = await this.#exchange(connection, request)
        }
        answers.push(answer)
        if (answer.closes === true) {
          connection.close()
          connection = undefined
        }
      }
    } catch (error) {
      answers.push(unreachable(error))
    } finally {
      connection?.close()
    }
    return answers
  }

  /** Sends one request. Resolves to its answer and to whatever follows it within some milliseconds. */
  async sendAndWait(request: ProbeRequest, within: number): Promise<Answer[]> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(this.#url.address)
      const first = await this.#exchange(connection, request)
      const second = await connection.finalReply('POST', performance.now() + within)
      return [first, toAnswer(second)]
    } catch (error) {
      return [unreachable(error)]
    } finally {
      connection?.close()
    }
  }

  async #exchange(connection: Connection, request: ProbeRequest): Promise<Answer> {
    const vector = {
      method: request.method ?? 'POST',
      path: this.#url.path,
      http: 'HTTP/1.1',
      host: false,
      headers: [['Host', this.#url.authority], AGENT, ...request.headers] as const,
      body: { base64: request.body.toString('base64') },
      framing: request.framing ?? 'content-length',
      ...(request.send && { send: request.send }),
    }
    return toAnswer(await exchange(connection, vector, performance.now() + this.#timeout))
  }
}

const AGENT = ['User-Agent', 'webhook-receiver-doctor'] as const

function toAnswer(reply: Reply): Answer {
  if (typeof reply === 'string') return { outcome: reply }
  return {
    outcome: String(reply.status),
    body: reply.body.toString(),
    closes: /\bclose\b/i.test(reply.headers.get('connection') ?? ''),
  }
}

function unreachable(error: unknown): Answer {
  // A name with several addresses fails with an AggregateError, whose own message is empty.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return { outcome: 'unreachable', why: first instanceof Error ? first.message : String(first) }
}
