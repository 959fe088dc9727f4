import { isMarked } from '../copies/brand.ts'
import { isRecord } from '../validate/check-options.ts'
import { describeValue } from '../validate/describe.ts'
import type { SchemeResponse } from '../verify/scheme.ts'

/** What a handler responds with itself. */
export interface ReplyOptions {
  /**
   * From 200 to 599. With 429 or 5xx the delivery is not done: its claim is released, or its transaction rolled back, and the
   * service can retry.
   * @default 200
   */
  readonly status?: number | undefined
  /** `content-type` has a default by the kind of the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text, bytes, or a value that is sent as JSON. */
  readonly body?: unknown
}

/** The response that a handler has chosen. */
export interface WebhookReply extends SchemeResponse {
  readonly headers: Readonly<Record<string, string>>
}

/** Marks a reply for every copy of this module. No class, so that a bundle without `reply` has none of its checks. */
const REPLY = Symbol.for('@webhook-receiver/core.WebhookReply')

/**
 * Makes the response to a delivery, for a handler to return. It is sent when the delivery is marked as done. Anything else that a
 * handler returns is ignored, a web-standard Response too.
 *
 * With a store, a duplicate gets the plain success of its service: only the first copy has run the handler.
 *
 * @throws TypeError for a status, a header or a body that cannot be sent.
 *
 * @example
 * return reply({ body: '<Response/>', headers: { 'content-type': 'text/xml' } })
 */
export function reply(options: ReplyOptions = {}): WebhookReply {
  if (!isRecord(options as unknown)) {
    throw new TypeError("A reply takes an object, such as reply({ body: { text: 'Hello' } }).")
  }
  const { status = 200, headers = {}, body } = options
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(
      `\`status\` of a reply should be a whole number from 200 to 599; got ${describeValue(status)}.`,
    )
  }
  const [type, content] = written(body)
  if (content !== undefined && WITHOUT_BODY.includes(status)) {
    throw new TypeError(`A reply with the status ${status} has no body: leave out \`body\`.`)
  }
  const response = {
    status,
    headers: { ...(type && { 'content-type': type }), ...checkedHeaders(headers) },
    body: content,
  }
  return Object.defineProperty(response, REPLY, { value: true })
}

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** The media type and what is sent. */
function written(body: unknown): readonly [type?: string, content?: WebhookReply['body']] {
  if (body === undefined) return []
  if (typeof body === 'string') return ['text/plain; charset=utf-8', body]
  if (body instanceof Uint8Array) return ['application/octet-stream', Uint8Array.from(body)]
  const json = JSON.stringify(body)
  if (json !== undefined) return ['application/json', json]
  throw new TypeError(
    `\`body\` of a reply should be text, bytes or a value that JSON has; got ${describeValue(body)}.`,
  )
}

/** Of these the server decides. */
const OF_SERVER = ['connection', 'content-length', 'transfer-encoding', 'trailer', 'upgrade']

/** By their names in lower case. Throws a TypeError for one that Node would not send. */
function checkedHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (!isRecord(headers)) {
    throw new TypeError('`headers` of a reply should be an object of strings by name.')
  }
  const checked = Object.entries(headers).map(([name, value]) => {
    const key = name.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || OF_SERVER.includes(key)) {
      throw new TypeError(`A reply cannot have the header ${JSON.stringify(name)}.`)
    }
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new TypeError(
        `The header ${JSON.stringify(name)} of a reply should be a string without line breaks, of the characters of Latin-1.`,
      )
    }
    return [key, value] as const
  })
  return Object.fromEntries(checked)
}

/** The replies of handlers that say that their work is not done, by what is thrown then to release their claims. */
const notDone = new WeakMap<object, WebhookReply>()

/** A reply, if a handler has returned one; throws for one that says that the work is not done. */
export function replyOf(returned: unknown): WebhookReply | undefined {
  if (!isMarked(returned, REPLY)) return undefined
  // Nobody else knows the mark.
  const reply = returned as WebhookReply
  if (reply.status !== 429 && reply.status < 500) return reply
  const error = new Error(`The handler replied with ${reply.status}.`)
  notDone.set(error, reply)
  throw error
}

/** The reply behind what was thrown, if there is one. Anything may be thrown, and nothing of it is looked at. */
export function replyBehind(thrown: unknown): WebhookReply | undefined {
  return notDone.get(Object(thrown))
}
