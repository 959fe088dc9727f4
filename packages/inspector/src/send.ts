import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BodyBuffer } from '@webhook-receiver/core/adapter'
import { type Header, withHeader, withoutHeaders } from '@webhook-receiver/emulator/request'
import type { Answer } from './exchange.ts'

/** The part of an answer's body that is kept, and the part that is read at most, in bytes. */
const KEPT = 4096
const READ = 1_048_576

/** About one connection and not about the delivery (RFC 9110, section 7.6.1). */
const HOP_BY_HOP =
  /^(?:connection|expect|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i

/** The headers as they go out to `url`: with its Host, the length of the body, and without those of another connection. */
export function outgoingHeaders(
  headers: readonly Header[],
  url: URL,
  body: Uint8Array,
): readonly Header[] {
  const kept = headers.filter(([name]) => !HOP_BY_HOP.test(name))
  const withHost = withHeader(kept, 'Host', url.host)
  return [
    ...withHeader(withHost, 'Content-Length', String(body.length)),
    ['Connection', 'close'] as const,
  ]
}

/** Sends a request on a connection of its own. Never rejects: what goes wrong is the answer's `error`. */
export function send(
  url: URL,
  headers: readonly Header[],
  body: Uint8Array,
  timeout: number,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const begun = performance.now()
    let request: ClientRequest | undefined
    const settle = (answer: Partial<Answer>) => {
      clearTimeout(timer)
      const duration = performance.now() - begun
      resolve({ status: undefined, headers: [], body: '', error: undefined, ...answer, duration })
      request?.destroy()
    }
    const timer = setTimeout(
      () => settle({ error: `no answer within ${timeout} s` }),
      timeout * 1000,
    )
    try {
      request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: false,
        // Names and values in turn go out in this order.
        headers: withoutHeaders(headers, 'connection').flat(),
        signal,
      })
    } catch (error) {
      // Node looks at the headers at once, and throws.
      settle({ error: `HTTP cannot carry this request: ${messageOf(error)}` })
      return
    }
    request.on('error', (error) => settle({ error: messageOf(error) }))
    request.on('response', (response) => readAnswer(response, settle))
    request.end(body)
  })
}

function readAnswer(response: IncomingMessage, settle: (answer: Partial<Answer>) => void): void {
  const body = new BodyBuffer(KEPT)
  let length = 0
  const { statusCode: status, rawHeaders } = response
  const headers = rawHeaders.flatMap((name, index): Header[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  const done = () => settle({ status, headers, body: Buffer.from(body.bytes()).toString() })
  response.on('data', (chunk: Buffer) => {
    body.add(chunk)
    length += chunk.length
    if (length > READ) done()
  })
  response.on('end', done)
  response.on('error', (error) => settle({ error: messageOf(error) }))
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
