import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BodyBuffer } from '@webhook-receiver/core/adapter'
import {
  type Header,
  headerPairs,
  headerValue,
  withHeader,
  withoutHeaders,
} from '@webhook-receiver/emulator/request'
import { Failure, messageOf } from './failure.ts'

/** One request, as it is to be on the wire. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** What came back. */
export interface Answer {
  /** `undefined` where there was no answer. */
  readonly status: number | undefined
  readonly headers: readonly Header[]
  /** The beginning of the answer's body. */
  readonly body: string
  /** Why there was no answer. */
  readonly error: string | undefined
  /** In milliseconds. */
  readonly duration: number
}

/** The part of an answer's body that is kept, in bytes. */
const MAX_ANSWER = 65_536

/**
 * Headers that are about one connection or the framing of a body, and not about the delivery (RFC 9110,
 * section 7.6.1); those that begin with `proxy-` too. Node refuses to send some of them, such as `Trailer`
 * beside a Content-Length.
 */
const HOP_BY_HOP: readonly string[] = [
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
]

/**
 * Sends a request on a connection of its own, the headers in their order. Follows no redirect. What goes
 * wrong on the way is the answer's `error`.
 *
 * @throws Failure where HTTP cannot carry the request.
 */
export function sendRequest(
  { method, url, headers, body }: OutgoingRequest,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const settle = (answer: Partial<Answer>) => {
      clearTimeout(timer)
      const duration = Math.round(performance.now() - begun)
      resolve({ status: undefined, headers: [], body: '', error: undefined, ...answer, duration })
      request.destroy()
    }
    let request: ClientRequest
    try {
      request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        method,
        agent: false,
        // Pairs go out in this order and spelling; Node's type knows only flat lists.
        headers: wireHeaders(headers, url, body).flat(),
        signal,
      })
    } catch (error) {
      // Node looks at the headers at once, and throws.
      reject(new Failure(`This request cannot be sent over HTTP: ${messageOf(error)}.`))
      return
    }
    const timer = setTimeout(
      () => settle({ error: `no answer within ${timeout} s` }),
      timeout * 1000,
    )
    request.on('error', (error) => settle({ error: messageOf(error) }))
    request.on('response', (response) => readAnswer(response, settle))
    // Without a listener Node closes the connection and says nothing.
    for (const other of ['upgrade', 'connect'] as const) {
      request.on(other, (response, socket) => {
        socket.destroy()
        settle({ status: response.statusCode, headers: headerPairs(response.rawHeaders) })
      })
    }
    request.end(body)
  })
}

/**
 * The names of the headers that `sendRequest` does not send, in their spelling. `Connection` and `Keep-Alive`
 * are not among them, because each connection has its own.
 */
export function omittedHeaders(headers: readonly Header[]): readonly string[] {
  const names = headers.flatMap(([name]) => (isEndToEnd(name, headers) ? [] : [name]))
  return names.filter((name) => !/^(?:connection|keep-alive)$/i.test(name))
}

/** The headers with what belongs to this connection and not to the delivery. */
function wireHeaders(headers: readonly Header[], url: URL, body: Uint8Array): readonly Header[] {
  const endToEnd = headers.filter(([name]) => isEndToEnd(name, headers))
  const withHost = withHeader(endToEnd, 'Host', url.host)
  return isChunked(headers)
    ? withoutHeaders(withHost, 'content-length')
    : withHeader(withHost, 'Content-Length', String(body.length))
}

function isEndToEnd(name: string, headers: readonly Header[]): boolean {
  const lower = name.toLowerCase()
  if (lower === 'transfer-encoding') return isChunked(headers)
  return !HOP_BY_HOP.includes(lower) && !lower.startsWith('proxy-')
}

function isChunked(headers: readonly Header[]): boolean {
  return headerValue(headers, 'transfer-encoding')?.toLowerCase() === 'chunked'
}

function readAnswer(response: IncomingMessage, settle: (answer: Partial<Answer>) => void): void {
  const body = new BodyBuffer(MAX_ANSWER)
  const done = () =>
    settle({
      status: response.statusCode,
      headers: headerPairs(response.rawHeaders),
      body: Buffer.from(body.bytes()).toString(),
    })
  response.on('data', (chunk: Buffer) => {
    if (!body.add(chunk)) done()
  })
  response.on('end', done)
  response.on('error', (error) => settle({ error: messageOf(error) }))
}

/** Whether a receiver took what it was sent. */
export function isAccepted({ status = 0 }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300
}
