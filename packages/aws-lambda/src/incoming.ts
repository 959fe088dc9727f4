import {
  type Incoming,
  type Received,
  type Receiver,
  Refusal,
  type RemoteFacts,
} from '@webhook-receiver/core/adapter'
import { assertHttpEvent, type LambdaEvent, methodOf } from './event.ts'

/**
 * Verifies and parses the delivery of one event, for a function that writes its own answer.
 *
 * @throws WebhookError, whatever was sent: answer with `toResult(event, error.getResponse())`. TypeError for an event that is
 * not an HTTP request.
 *
 * @example
 * const receiver = createReceiver<LambdaEvent>(process.env.WEBHOOK_SECRET)
 * const { delivery } = await receiveEvent(receiver, event)
 */
export async function receiveEvent<Attached, Event extends LambdaEvent>(
  receiver: Receiver<Attached, Event>,
  event: Event,
): Promise<Received<Attached>> {
  assertHttpEvent(event)
  return receiver.receive(new EventIncoming(event))
}

class EventIncoming<Event extends LambdaEvent> implements Incoming<Event> {
  readonly method: string
  readonly context: Event
  readonly #headers = new Map<string, string>()

  constructor(event: Event) {
    this.method = methodOf(event)
    this.context = event
    for (const [name, value] of headersOf(event)) {
      const key = name.toLowerCase()
      const before = this.#headers.get(key)
      this.#headers.set(key, before === undefined ? value : `${before}, ${value}`)
    }
  }

  header(name: string): string | undefined {
    return this.#headers.get(name)
  }

  headers(): readonly (readonly [string, string])[] {
    return headersOf(this.context)
  }

  /** The bytes that were sent, as far as the event has them: text stands for its UTF-8. */
  readBody(): Uint8Array {
    const { body, isBase64Encoded } = this.context
    if (body === undefined || body === null) return new Uint8Array(0)
    if (typeof body !== 'string') {
      throw notTheBody(
        'by something in front: the event has an object in place of it',
        'If a middleware parses it, such as http-json-body-parser of Middy, remove that for this function. Otherwise use proxy integration, without a mapping template.',
      )
    }
    if (!isBase64Encoded) return Buffer.from(body, 'utf8')
    const bytes = Buffer.from(body, 'base64')
    if (bytes.toString('base64') === body) return bytes
    throw notTheBody(
      'by something in front: the event says that it is base64, and it is not',
      'Pass the event on as API Gateway or the load balancer made it.',
    )
  }

  remote(): RemoteFacts {
    const { path, rawPath, rawQueryString, requestContext } = this.context
    const { http, identity } = requestContext
    return {
      address: http?.sourceIp ?? identity?.sourceIp,
      url: rawPath === undefined ? path : `${rawPath}${rawQueryString ? `?${rawQueryString}` : ''}`,
      userAgent: this.header('user-agent'),
    }
  }
}

/** Where there are lists, they have all that `headers` has, and what was sent more than once. Events of tests may have empty ones. */
function headersOf({
  headers,
  multiValueHeaders,
}: LambdaEvent): readonly (readonly [string, string])[] {
  const lists = Object.entries(multiValueHeaders ?? {})
  const found = lists.length > 0 ? lists : Object.entries(headers ?? {})
  return found.flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      // An event that was written by hand may have a number.
      .filter((value) => typeof value !== 'object')
      .map((value) => [name, String(value)] as const),
  )
}

function notTheBody(by: string, advice: string): Refusal {
  return new Refusal('body_already_read', { by, advice })
}
