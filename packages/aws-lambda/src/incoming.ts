import type { Incoming, WebhookError } from '@webhook-receiver/core'
import { type RemoteFacts, rejection } from '@webhook-receiver/core/adapter'
import { type LambdaEvent, methodOf } from './event.ts'

/** The event of an HTTP request, as a receiver needs it. */
export class EventIncoming<Event extends LambdaEvent> implements Incoming<Event> {
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

  /** The bytes that were sent, as far as the event has them: text stands for its UTF-8. */
  readBody(): Uint8Array {
    const { body, isBase64Encoded } = this.context
    if (body === undefined || body === null) return new Uint8Array(0)
    if (typeof body !== 'string') {
      throw notTheBody(
        'in front: the event has an object in place of it',
        'Remove what parses it, such as http-json-body-parser of Middy, or use proxy integration without a mapping template.',
      )
    }
    if (!isBase64Encoded) return Buffer.from(body, 'utf8')
    const bytes = Buffer.from(body, 'base64')
    if (bytes.toString('base64') === body) return bytes
    throw notTheBody(
      'in front: the event says base64, and it is not',
      'Pass the event on as API Gateway or the load balancer made it.',
    )
  }

  remote(): RemoteFacts {
    const { http, identity } = this.context.requestContext
    return {
      address: http?.sourceIp ?? identity?.sourceIp,
      url: targetOf(this.context),
      userAgent: this.header('user-agent'),
    }
  }
}

/** The path and the query, as far as the event has them: a REST API has decoded the query, and its order may be another. */
export function targetOf(event: LambdaEvent): string | undefined {
  const { path, rawPath, rawQueryString, requestContext } = event
  if (rawPath !== undefined) return `${rawPath}${rawQueryString ? `?${rawQueryString}` : ''}`
  const written = requestContext.elb ? String : encodeURIComponent
  const query = Object.entries(
    event.multiValueQueryStringParameters ?? event.queryStringParameters ?? {},
  )
    .flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value]))
    .map((pair) => pair.map((part) => written(String(part))).join('='))
  const requested = requestContext.path ?? path
  return query.length > 0 ? `${requested}?${query.join('&')}` : requested
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

function notTheBody(by: string, advice: string): WebhookError {
  return rejection('body_already_read', { by, advice })
}
