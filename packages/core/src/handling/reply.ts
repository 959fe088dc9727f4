import { ignore, isPromiseLike } from '../async/timeout.ts'
import { markOf } from '../copies/brand.ts'
import { checkOptionNames } from '../validate/check-options.ts'
import { isError } from '../validate/error.ts'
import { describeInstance, isBytes } from '../validate/plain.ts'
import { isPlainObject } from '../validate/record.ts'
import { checkedResponse, type SchemeResponse } from '../validate/response.ts'
import type { Scheme } from '../verify/scheme.ts'
import { checkAccepted } from './accepted-reply.ts'

/** What a handler responds with itself. */
export interface ReplyOptions {
  /**
   * From 200 to 599. With 429 or 5xx the delivery is not done: its claim is released, or its transaction rolled back, and the
   * service can retry.
   * @default 200
   */
  readonly status?: number | undefined
  /** `content-type` has a default by the kind of the body. The server decides those of the connection and `content-length`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text, bytes, or plain data that is sent as JSON: objects and arrays of strings, finite numbers, booleans and null. */
  readonly body?: unknown
}

/** The response that a handler has chosen. */
export interface WebhookReply extends SchemeResponse {
  readonly headers: Readonly<Record<string, string>>
}

/** Marks a reply for every copy of this module, by the check of what its service accepts, so that a bundle without `reply` has none of it. */
const REPLY = Symbol.for('@webhook-receiver/core.WebhookReply')

/**
 * Makes the response to a delivery, for a handler to return. It is sent when the delivery is marked as done. An Error that a handler
 * returns counts as thrown; anything else is ignored, a web-standard Response too.
 *
 * With a store, a duplicate gets the plain success of its service: only the first copy has run the handler.
 *
 * @throws TypeError for a status, a header or a body that cannot be sent.
 *
 * @example
 * return reply({ body: '<Response/>', headers: { 'content-type': 'text/xml' } })
 */
export function reply(options: ReplyOptions = {}): WebhookReply {
  if (!isPlainObject(options)) {
    throw new TypeError(
      `A reply takes an object, such as ${EXAMPLE}; got ${describeInstance(options)}.`,
    )
  }
  checkOptionNames(options, ['status', 'headers', 'body'], EXAMPLE)
  const { status = 200, headers = {}, body } = options
  const [type, content] = written(body)
  const checked = checkedResponse({ status, headers, body: content }, 'a reply', describeInstance)
  const typed = Object.freeze({ ...(type && { 'content-type': type }), ...checked.headers })
  const response = { ...checked, headers: typed }
  return Object.freeze(Object.defineProperty(response, REPLY, { value: checkAccepted }))
}

const EXAMPLE = "reply({ body: { text: 'Hello' } })"

/** The media type and what is sent. */
function written(body: unknown): readonly [type?: string, content?: string | Uint8Array] {
  if (body === undefined) return []
  if (typeof body === 'string') return ['text/plain; charset=utf-8', body]
  if (isBytes(body)) return ['application/octet-stream', body]
  const json = JSON.stringify(body, plain)
  if (json !== undefined) return ['application/json', json]
  throw new TypeError('`body` of a reply should be data; its `toJSON` returned none.')
}

/**
 * The value that JSON.stringify asks for, if JSON has it as it is: of a promise or a Map it would write `{}`.
 *
 * @throws TypeError that names it.
 */
function plain(this: unknown, name: string, value: unknown): unknown {
  // The value before its own `toJSON` was called: of a Date, a Date and not its text.
  const given: unknown = Reflect.get(Object(this), name)
  const wrong = [given, value].find((one) => !isPlain(one))
  if (wrong === undefined) return value
  const place = name === '' ? '' : `; its ${JSON.stringify(name)} is ${describeInstance(wrong)}`
  throw new TypeError(
    `\`body\` of a reply should be text, bytes or plain data${place || `; got ${describeInstance(wrong)}`}.`,
  )
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return ['undefined', 'string', 'boolean'].includes(typeof value)
  return value === null || Array.isArray(value) || isPlainObject(value)
}

/** The replies of handlers that say that their work is not done, by what is thrown then to release their claims. */
const notDone = new WeakMap<object, WebhookReply>()

/** A reply, if a handler has returned one; throws for one that the service does not accept, or that says that the work is not done. */
export function replyOf(returned: unknown, scheme: Scheme): WebhookReply | undefined {
  const check = markOf(returned, REPLY)
  if (typeof check !== 'function') return withoutReply(returned)
  // Nobody else knows the mark.
  const reply = returned as WebhookReply
  check(reply, scheme)
  if (reply.status !== 429 && reply.status < 500) return reply
  const error = new Error(`The handler replied with ${reply.status}.`)
  notDone.set(error, reply)
  throw error
}

/**
 * @throws an Error that was returned instead of thrown, and TypeError for work that nobody waits for: promises in an array, and what a
 * generator function returns.
 */
function withoutReply(returned: unknown): undefined {
  if (returned === undefined) return
  if (isError(returned)) throw returned
  if (Array.isArray(returned) && returned.some(isPromiseLike)) {
    // Not a query, which would begin to run.
    returned.filter((one) => markOf(one, Symbol.toStringTag) === 'Promise').forEach(ignore)
    throw new TypeError(UNAWAITED)
  }
  const kind = markOf(returned, Symbol.toStringTag)
  if (kind === 'Generator' || kind === 'AsyncGenerator') throw new TypeError(NOT_RUN)
}

const UNAWAITED = 'The handler returned an array of promises: return `Promise.all` of them.'

const NOT_RUN =
  'The handler returned the iterator of a generator function, none of whose code has run: write the function without `*`.'

/** The reply behind what was thrown, if there is one. Anything may be thrown, and nothing of it is looked at. */
export function replyBehind(thrown: unknown): WebhookReply | undefined {
  return notDone.get(Object(thrown))
}
