import type { LambdaEvent } from './event.ts'

/** The forms of HTTP events. A Function URL has that of an HTTP API. */
export const EVENT_FORMS = [
  'http-api',
  'rest-api',
  'function-url',
  'alb',
  'alb-multi-value',
] as const

/**
 * Where an event comes from: an HTTP API (payload format 2.0), a REST API (as an HTTP API with the payload format 1.0), a Function URL,
 * or a load balancer, whose target group may have multi-value headers.
 */
export type EventForm = (typeof EVENT_FORMS)[number]

/** A request that is to become an event. */
export interface EventRequest {
  readonly method: string
  /** The path as requested, with or without a query. */
  readonly path: string
  /** As sent: a name may be there more than once, in any case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /**
   * Whether the body is passed as base64. Otherwise it is passed as text, and bytes that are not UTF-8 become U+FFFD, as in API Gateway.
   * @default only if it is not UTF-8
   */
  readonly base64?: boolean | undefined
}

/** A request as the event that Lambda would get, without the parts that this library does not look at. */
export function toEvent(form: EventForm, request: EventRequest): LambdaEvent {
  const { method, path, headers, body } = request
  const [rawPath = '', rawQueryString = ''] = path.split(/\?(.*)/s)
  const isBase64Encoded = request.base64 ?? !isUtf8(body)
  const content = Buffer.from(body.buffer, body.byteOffset, body.length)
  const text = content.toString(isBase64Encoded ? 'base64' : 'utf8')
  const encoded = { body: text === '' ? null : text, isBase64Encoded }
  if (form === 'http-api' || form === 'function-url') {
    const { body: some, ...flag } = encoded
    return {
      ...(some !== null && { body: some }),
      ...flag,
      rawPath,
      rawQueryString,
      headers: joined(headers),
      requestContext: { http: { method, path: rawPath, sourceIp: SENDER } },
    }
  }
  const lowered = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  const common = { ...encoded, httpMethod: method, path: rawPath }
  const sent = rawQueryString.split('&').flatMap((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return pair === '' ? [] : [[name, value] as const]
  })
  switch (form) {
    case 'rest-api':
      return {
        ...common,
        headers: Object.fromEntries(headers),
        multiValueHeaders: listed(headers),
        // API Gateway decodes the query, and a load balancer does not.
        multiValueQueryStringParameters: listed([...new URLSearchParams(rawQueryString)]),
        requestContext: { identity: { sourceIp: SENDER } },
      }
    case 'alb':
      // Of a header that is there more than once, the last counts.
      return {
        ...common,
        headers: Object.fromEntries(lowered),
        queryStringParameters: Object.fromEntries(sent),
        requestContext: { elb: {} },
      }
    case 'alb-multi-value':
      return {
        ...common,
        multiValueHeaders: listed(lowered),
        multiValueQueryStringParameters: listed(sent),
        requestContext: { elb: {} },
      }
  }
}

/** An address for documentation (RFC 5737). */
const SENDER = '192.0.2.1'

type Pairs = EventRequest['headers']

function listed(headers: Pairs): Record<string, string[]> {
  const lists = new Map<string, string[]>()
  for (const [name, value] of headers) lists.set(name, [...(lists.get(name) ?? []), value])
  return Object.fromEntries(lists)
}

function joined(headers: Pairs): Record<string, string> {
  const lists = listed(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.join(',')]))
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
