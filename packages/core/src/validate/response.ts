import { describeValue, inQuotes } from './describe.ts'
import { isBytes } from './plain.ts'
import { isPlainObject, isRecord } from './record.ts'

/** What the receiver responds with, apart from rejections. */
export interface SchemeResponse {
  readonly status: number
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
}

/** A response as a web-standard Response. */
export function toResponse({ status, headers = {}, body }: SchemeResponse): Response {
  return new Response(body ?? null, { status, headers })
}

/**
 * A copy of a response that every server can send: with lowercase names and bytes of its own, and nothing can change it later. Each
 * response comes from here, but for those to rejections, whose headers go through `checkHeaders`.
 *
 * @param whose whose response it is, for messages, such as `a reply`.
 * @param describe says what was given instead of headers or a body.
 * @throws TypeError that says what cannot be sent.
 */
export function checkedResponse(
  response: unknown,
  whose: string,
  describe: Describe = describeValue,
): SchemeResponse {
  if (!isRecord(response)) {
    throw new TypeError(
      `The response of ${whose} should be an object with a status; got ${describeValue(response)}.`,
    )
  }
  const { status, headers, body } = response
  if (!isStatus(status)) {
    throw new TypeError(
      `\`status\` of ${whose} should be a whole number from 200 to 599, and not 205; got ${describeValue(status)}.`,
    )
  }
  if (body !== undefined && WITHOUT_BODY.includes(status)) {
    throw new TypeError(
      `\`body\` of ${whose} should be left out: a response with ${status} has none.`,
    )
  }
  return Object.freeze({
    status,
    ...(headers !== undefined && { headers: lowercase(headers, whose, describe) }),
    ...(body !== undefined && { body: ownBody(body, whose, describe) }),
  })
}

type Describe = (value: unknown) => string

/** 205 asks a browser to clear its form. Koa sends it without the length that clients wait for. */
function isStatus(status: unknown): status is number {
  return (
    Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599 && status !== 205
  )
}

/** RFC 9110, sections 15.3.5 and 15.4.5. */
const WITHOUT_BODY: readonly number[] = [204, 304]

function lowercase(
  headers: unknown,
  whose: string,
  describe: Describe,
): Readonly<Record<string, string>> {
  checkHeaders(headers, whose, describe)
  // What is sent is what was checked: a getter or a Proxy may give something else the next time.
  const own = { ...headers }
  checkHeaders(own, whose, describe)
  const named = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])
  return Object.freeze(Object.fromEntries(named))
}

/** A copy of bytes: those of a Buffer lie in a larger one, and frameworks send what an ArrayBuffer holds. */
function ownBody(
  body: unknown,
  whose: string,
  describe: Describe,
): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  if (isBytes(body)) return Uint8Array.from(body)
  throw new TypeError(`\`body\` of ${whose} should be text or a Uint8Array; got ${describe(body)}.`)
}

/**
 * Of these the server decides, on every protocol. HTTP/2 has no headers of a connection (RFC 9113, section 8.2.2); behind a length that
 * is not that of the body, a client would take the rest of it for the next response.
 */
const OF_SERVER =
  /^(?:(?:proxy-)?connection|content-length|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/** A token (RFC 9110, section 5.6.2). */
const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const NAME = /* @__PURE__ */ new RegExp(`^${TOKEN}$`)

/** What no field value has (RFC 9110, section 5.5): characters that are not bytes, controls, and white space around it. */
const NOT_IN_VALUE = /[^\t -~\x80-\xff]|^[\t ]|[\t ]$/

const TEXT = 'text in Latin-1, without line breaks and white space around it'

/** What some server would write otherwise, if it had another form: Fastify replaces what is no media type, and Node 20 the characters of a file name. */
const FORMS: Readonly<Record<string, readonly [form: RegExp, expected: string]>> = {
  'content-type': [
    /* @__PURE__ */ new RegExp(`^${TOKEN}/${TOKEN}[\\t ]*(?:;|$)`),
    'a media type, such as text/xml',
  ],
  'content-disposition': [/^[\t -~]+$/, 'ASCII; other characters go into `filename*`'],
}

/** @throws TypeError for headers that some server would not send, or not as they are. */
export function checkHeaders(
  headers: unknown,
  whose: string,
  describe: Describe = describeValue,
): asserts headers is Readonly<Record<string, string>> {
  if (!isPlainObject(headers)) {
    throw new TypeError(
      `\`headers\` of ${whose} should be a plain object, such as { 'content-type': 'text/xml' }; got ${describe(headers)}.`,
    )
  }
  for (const [name, value] of Object.entries(headers)) {
    // Before its letters are small ones: some that are not of ASCII become ones that are.
    const fault = NAME.test(name) ? faultOf(name.toLowerCase(), value) : NO_NAME
    if (fault) throw new TypeError(`\`headers\` of ${whose}: ${inQuotes(name)} ${fault}.`)
  }
}

const NO_NAME = 'is not the name of a header'

function faultOf(name: string, value: unknown): string | undefined {
  if (OF_SERVER.test(name)) return 'is for the server to decide'
  // Frameworks keep headers in objects, whose prototype this name would change.
  if (name === '__proto__') return NO_NAME
  const [form, expected] = (Object.hasOwn(FORMS, name) && FORMS[name]) || [/^/, TEXT]
  if (typeof value === 'string' && !NOT_IN_VALUE.test(value) && form.test(value)) return undefined
  return `should be ${expected}`
}
