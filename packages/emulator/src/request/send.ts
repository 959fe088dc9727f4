import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { BodyBuffer, upTo } from '@webhook-receiver/core/adapter'
import { type Header, headerPairs } from './headers.ts'
import { wireHeaders } from './wire-headers.ts'

/** One request, as it is to be on the wire. */
export interface OutgoingRequest {
  /** @default 'POST' */
  readonly method?: string
  readonly url: URL
  /** What the request line has, byte for byte. @default path and query of `url` */
  readonly target?: string | undefined
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

export interface SendOptions {
  /** How long to wait for the whole response, in seconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** Bytes of the body after which the connection is dropped. */
  readonly dropAfter?: number | undefined
  /** Over how many milliseconds the body is spread. */
  readonly slowFor?: number | undefined
  /** Gets the body of the response, all of it, in pieces. More than 16 MiB are an error: there may be no end. */
  readonly onData?: ((piece: Buffer) => void) | undefined
}

/** What came back. */
export interface ReceivedResponse {
  /** `undefined` if there was no response. */
  readonly status: number | undefined
  readonly headers: readonly Header[]
  /** The beginning of its body, up to 4 KiB. */
  readonly body: string
  /** Why there was no response. */
  readonly error: string | undefined
  /** `false` if HTTP cannot carry the request. */
  readonly sent: boolean
  /** What the receiver took: from the last byte of the request to the end of the response, in milliseconds. */
  readonly duration: number
}

/** What is kept of a response's body, and after what length of it nobody waits for more; in bytes. */
const KEPT = 4096
const READ = 65_536

/** The same, where somebody takes all of it. */
const TAKEN = 16_777_216

/** In how many pieces a slow body is sent. */
const PIECES = 8

/**
 * Sends a request on a separate connection, the headers in their order. Follows no redirect. Never rejects: what goes
 * wrong is the `error` of the response.
 */
export function sendRequest(
  { method = 'POST', url, target, headers, body }: OutgoingRequest,
  options: SendOptions,
): Promise<ReceivedResponse> {
  const { timeout, signal, slowFor = 0 } = options
  return new Promise((resolve) => {
    let begun = performance.now()
    let request: ClientRequest | undefined
    const settle: Settle = (outcome) => {
      clearTimeout(timer)
      const none = { status: undefined, headers: [], body: '', error: undefined, sent: true }
      resolve({ ...none, ...outcome, duration: performance.now() - begun })
      request?.destroy()
    }
    let missing = 'response'
    const late = () => settle({ error: `no ${missing} within ${timeout} s` })
    const timer = setTimeout(late, timeout * 1000 + slowFor)
    try {
      request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        method,
        ...(target !== undefined && { path: target }),
        agent: false,
        // Names and values in turn go out in this order and spelling.
        headers: wireHeaders(headers, url, body).flat(),
        signal,
      })
    } catch (error) {
      // Node looks at the headers at once, and throws.
      settle({ sent: false, error: `HTTP cannot carry this request: ${messageOf(error)}` })
      return
    }
    request.on('error', (error) => settle({ error: messageOf(error) }))
    request.on('response', (response) => {
      missing = 'end of the response'
      readResponse(response, settle, options)
    })
    // Without a listener Node closes the connection and says nothing.
    for (const other of ['upgrade', 'connect'] as const) {
      request.on(other, ({ statusCode: status, rawHeaders }, socket) => {
        socket.destroy()
        settle({ status, headers: headerPairs(rawHeaders) })
      })
    }
    request.on('finish', () => {
      begun = performance.now()
    })
    void transmit(request, body, options, settle)
  })
}

/** The message of an error of the network or the file system. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

type Settle = (outcome: Partial<ReceivedResponse>) => void

async function transmit(
  request: ClientRequest,
  body: Uint8Array,
  { dropAfter, slowFor, signal }: SendOptions,
  settle: Settle,
): Promise<void> {
  if (dropAfter !== undefined) {
    request.write(body.subarray(0, dropAfter), (failure) => {
      const error = `the connection was dropped after ${dropAfter} of ${body.length} bytes of the body`
      if (!failure) settle({ error })
    })
    return
  }
  if (slowFor === undefined) {
    request.end(body)
    return
  }
  const size = Math.ceil(body.length / PIECES)
  for (let offset = 0; offset < body.length && !request.destroyed; offset += size) {
    request.write(body.subarray(offset, offset + size))
    await sleep(slowFor / PIECES, undefined, { signal }).catch(() => {})
  }
  if (!request.destroyed) request.end()
}

function readResponse(
  response: IncomingMessage,
  settle: Settle,
  { onData }: Pick<SendOptions, 'onData'>,
): void {
  const body = new BodyBuffer(upTo(KEPT))
  let length = 0
  const done = () => {
    const { statusCode: status, rawHeaders } = response
    const text = Buffer.from(body.take()).toString()
    settle({ status, headers: headerPairs(rawHeaders), body: text })
  }
  response.on('data', (chunk: Buffer) => {
    body.add(chunk)
    onData?.(chunk)
    length += chunk.length
    if (length > TAKEN) settle({ error: 'the response has more than 16 MiB' })
    else if (length > READ && !onData) done()
  })
  response.on('end', done)
  response.on('error', (error) => settle({ error: messageOf(error) }))
}
