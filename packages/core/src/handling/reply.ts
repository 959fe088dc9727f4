import { brand } from '../copies/brand.ts'
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
export class WebhookReply implements SchemeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined

  constructor({ status = 200, headers = {}, body }: ReplyOptions) {
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new TypeError(
        `\`status\` of a reply should be a whole number from 200 to 599; got ${describeValue(status)}.`,
      )
    }
    const [type, content] = written(body)
    if (content !== undefined && WITHOUT_BODY.includes(status)) {
      throw new TypeError(`A reply with the status ${status} has no body: leave out \`body\`.`)
    }
    this.status = status
    this.headers = { ...(type && { 'content-type': type }), ...checkedHeaders(headers) }
    this.body = content
  }
}

brand(WebhookReply, '@webhook-receiver/core.WebhookReply')

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
  if (!isRecord(options)) {
    throw new TypeError("A reply takes an object, such as reply({ body: { text: 'Hello' } }).")
  }
  return new WebhookReply(options)
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

/** Thrown where a handler replies that its work is not done, so that its claim is released like that of one that throws. */
export class NotDone extends Error {
  override readonly name = 'NotDone'
  readonly reply: WebhookReply

  constructor(reply: WebhookReply) {
    super(`The handler replied with ${reply.status}.`)
    this.reply = reply
  }
}

// What a handler throws may be a Proxy that throws when it is looked at.
brand(NotDone, '@webhook-receiver/core.NotDone')

/** A reply, if a handler has returned one; throws `NotDone` for one that says so. */
export function replyOf(returned: unknown): WebhookReply | undefined {
  if (!(returned instanceof WebhookReply)) return undefined
  if (returned.status === 429 || returned.status >= 500) throw new NotDone(returned)
  return returned
}
