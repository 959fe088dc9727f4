import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BodyBuffer } from '@webhook-receiver/core/adapter'
import type { SignedDelivery } from '@webhook-receiver/core/testing'
import { wait } from './wait.ts'

/** How the body is put on the wire. */
export interface SendOptions {
  /** Bytes of the body after which the connection is dropped. */
  readonly dropAfter?: number
  /** Over how many milliseconds the body is spread. */
  readonly slowFor?: number
  /** Called when the last byte has left. */
  readonly onSent?: () => void
  /** Called with the headers as they go out, before the first byte. */
  readonly onHeaders?: (headers: readonly Header[]) => void
}

/** A header as it is on the wire. */
export type Header = readonly [name: string, value: string]

/** What came of one request. */
export interface SendResult {
  readonly status?: number
  /** The headers of the answer, in their order. */
  readonly answerHeaders?: readonly Header[]
  /** The beginning of the answer's body. */
  readonly answer: string
  readonly error?: string
  /** In seconds. */
  readonly duration: number
}

/** What is kept of an answer, and after what length of it nobody waits for more; in bytes. */
const MAX_ANSWER = 4096
const MAX_READ = 65_536

/** In how many pieces a slow body is sent. */
const PIECES = 8

/**
 * Sends one request on a connection of its own, which is closed when this resolves. Never rejects: what
 * goes wrong is the answer's `error`. Redirects are not followed.
 */
export function send(
  url: URL,
  { headers, body }: SignedDelivery,
  options: SendOptions,
  timeout: number,
  signal: AbortSignal,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const over = new AbortController()
    const settle = (outcome: Omit<SendResult, 'duration'>) => {
      if (over.signal.aborted) return
      over.abort()
      clearTimeout(timer)
      resolve({ ...outcome, duration: (performance.now() - begun) / 1000 })
      request.destroy()
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'Content-Length': body.length,
        'User-Agent': 'webhook-receiver-emulator',
      },
      signal,
    })
    options.onHeaders?.(sentHeaders(request))
    request.on('error', (error) => settle({ answer: '', error: messageOf(error) }))
    request.on('response', (response) => readAnswer(response, settle))
    const timer = setTimeout(
      () => settle({ answer: '', error: `no answer within ${timeout / 1000} s` }),
      timeout + (options.slowFor ?? 0),
    )
    if (options.onSent) request.on('finish', options.onSent)
    transmit(request, body, options, over.signal, settle)
  })
}

/** Node adds `Connection` when it writes the head, after all others. */
function sentHeaders(request: ClientRequest): readonly Header[] {
  const headers = request
    .getRawHeaderNames()
    .map((name): Header => [name, String(request.getHeader(name))])
  return [...headers, ['Connection', 'close']]
}

function messageOf(error: Error): string {
  return error.message || ('code' in error && String(error.code)) || error.name
}

async function transmit(
  request: ClientRequest,
  body: Uint8Array,
  { dropAfter, slowFor }: SendOptions,
  over: AbortSignal,
  settle: (outcome: Omit<SendResult, 'duration'>) => void,
): Promise<void> {
  if (dropAfter !== undefined) {
    request.write(body.subarray(0, dropAfter), (failure) => {
      if (failure) return
      const error = `the connection was dropped after ${dropAfter} of ${body.length} bytes of the body`
      settle({ answer: '', error })
    })
    return
  }
  if (slowFor === undefined) {
    request.end(body)
    return
  }
  const size = Math.ceil(body.length / PIECES)
  for (let offset = 0; offset < body.length && !over.aborted; offset += size) {
    request.write(body.subarray(offset, offset + size))
    await wait(slowFor / PIECES, over)
  }
  if (!over.aborted) request.end()
}

function readAnswer(
  response: IncomingMessage,
  settle: (outcome: Omit<SendResult, 'duration'>) => void,
): void {
  const { statusCode: status = 0, rawHeaders } = response
  const answerHeaders = rawHeaders.flatMap((name, index): Header[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  const body = new BodyBuffer(MAX_ANSWER)
  let length = 0
  const done = () => settle({ status, answerHeaders, answer: Buffer.from(body.bytes()).toString() })
  response.on('data', (chunk: Buffer) => {
    body.add(chunk)
    length += chunk.length
    if (length > MAX_READ) done()
  })
  response.on('end', done)
  response.on('error', (error) => settle({ answer: '', error: messageOf(error) }))
}
