import { Connection, exchange, type Reply } from '@webhook-receiver/conformance/client'
import type { ReceiverUrl } from './receiver-url.ts'
import type { Shot, Source } from './shot.ts'

/** What came back: a status, or `closed`, `cut`, `garbage`, `timeout`, `unreachable`. */
export interface Answer {
  readonly outcome: string
  /** Why there is no connection. */
  readonly why?: string
  readonly body?: string
  /** Whether the receiver said that it closes the connection. */
  readonly closes?: boolean
}

/** Sends the shots of a probe to one receiver. */
export class Bench {
  readonly source: Source
  readonly #url: ReceiverUrl
  readonly #timeout: number

  /** `timeout` is how long an answer may take, in milliseconds. */
  constructor(url: ReceiverUrl, source: Source, timeout: number) {
    this.source = source
    this.#url = url
    this.#timeout = timeout
  }

  /** Each shot on a connection of its own, one after the other. */
  async each(shots: readonly Shot[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const shot of shots) answers.push(...(await this.sequence([shot])))
    return answers
  }

  /** Each shot on a connection of its own, at the same time. */
  async together(shots: readonly Shot[]): Promise<Answer[]> {
    return (await Promise.all(shots.map((shot) => this.sequence([shot])))).flat()
  }

  /**
   * The shots on one connection. Where the receiver has closed it, as it may, the next shot opens
   * another, as a client does.
   */
  async sequence(shots: readonly Shot[]): Promise<Answer[]> {
    const answers: Answer[] = []
    let connection: Connection | undefined
    try {
      for (const shot of shots) {
        const reused = connection !== undefined
        connection ??= await Connection.open(this.#url.address)
        let answer = await this.#exchange(connection, shot)
        if (reused && answer.outcome === 'closed') {
          connection.close()
          connection = await Connection.open(this.#url.address)
          answer = await this.#exchange(connection, shot)
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

  /** Sends one shot and tells what comes after its answer, within so many milliseconds. */
  async aftermath(shot: Shot, within: number): Promise<Answer[]> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(this.#url.address)
      const first = await this.#exchange(connection, shot)
      const second = await connection.finalReply('POST', performance.now() + within)
      return [first, toAnswer(second)]
    } catch (error) {
      return [unreachable(error)]
    } finally {
      connection?.close()
    }
  }

  async #exchange(connection: Connection, shot: Shot): Promise<Answer> {
    const request = {
      method: shot.method ?? 'POST',
      path: this.#url.path,
      http: 'HTTP/1.1',
      host: false,
      headers: [['Host', this.#url.authority], AGENT, ...shot.headers] as const,
      body: { base64: shot.body.toString('base64') },
      framing: shot.framing ?? 'content-length',
      ...(shot.send && { send: shot.send }),
    }
    return toAnswer(await exchange(connection, request, performance.now() + this.#timeout))
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
