import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { said } from './failure.ts'
import { type Header, lookUp, paired, withHeader, withoutHeaders } from './header.ts'

/** One request, as it is to be on the wire. */
export interface Transmission {
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

/** How much of an answer's body is kept, in bytes. */
const KEPT = 65_536

/**
 * Sends a request on a connection of its own, the headers in their order. Follows no redirect. Never
 * rejects: what goes wrong is the answer's `error`.
 */
export function transmit(
  { method, url, headers, body }: Transmission,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const settle = (answer: Partial<Answer>) => {
      clearTimeout(timer)
      const duration = Math.round(performance.now() - begun)
      resolve({ status: undefined, headers: [], body: '', error: undefined, ...answer, duration })
      request.destroy()
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      // Pairs go out in this order and spelling; Node's type knows only flat lists.
      headers: framed(headers, url, body).flat(),
      signal,
    })
    const timer = setTimeout(
      () => settle({ error: `no answer within ${timeout} s` }),
      timeout * 1000,
    )
    request.on('error', (error) => settle({ error: said(error) }))
    request.on('response', (response) => readAnswer(response, settle))
    request.end(body)
  })
}

/** The headers with what belongs to this connection and not to the delivery. */
function framed(headers: readonly Header[], url: URL, body: Uint8Array): readonly Header[] {
  const lasting = withoutHeaders(headers, 'connection', 'keep-alive', 'expect')
  const addressed = withHeader(lasting, 'Host', url.host)
  if (lookUp(addressed)('transfer-encoding')?.toLowerCase() === 'chunked') {
    return withoutHeaders(addressed, 'content-length')
  }
  return withHeader(
    withoutHeaders(addressed, 'transfer-encoding'),
    'Content-Length',
    String(body.length),
  )
}

function readAnswer(response: IncomingMessage, settle: (answer: Partial<Answer>) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const done = () =>
    settle({
      status: response.statusCode,
      headers: paired(response.rawHeaders),
      body: Buffer.concat(chunks).subarray(0, KEPT).toString(),
    })
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > KEPT) done()
  })
  response.on('end', done)
  response.on('error', (error) => settle({ error: said(error) }))
}

/** Whether a receiver took what it was sent. */
export function isAccepted({ status = 0 }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300
}
