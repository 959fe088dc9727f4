import type { IncomingMessage, RequestListener } from 'node:http'
import { printError } from '@webhook-receiver/core/adapter'
import type { LambdaContext } from './deadline.ts'
import type { LambdaEvent, LambdaResult } from './event.ts'
import { type EventForm, toEvent } from './to-event.ts'

/** Any function of Lambda that responds to HTTP events with a promise. */
export type LambdaFunction = (event: never, context: never, callback: never) => unknown

/** What API Gateway takes of a request, in bytes. */
const LIMIT = 10 * 1024 * 1024

export interface InvokeOptions {
  /**
   * The form of the events.
   * @default 'http-api'
   */
  readonly form?: EventForm | undefined
  /**
   * Whether each body is passed as base64.
   * @default only if it is not UTF-8
   */
  readonly base64?: boolean | undefined
  /**
   * The timeout of the function that the context reports, in seconds. The function is not stopped after it.
   * @default 30
   */
  readonly timeout?: number | undefined
}

/**
 * Turns a Lambda function into a listener for `node:http`, for tests and development. Each request becomes an event, and the
 * result of the function becomes the response. If the function rejects, the error is printed and the response is 502, as with API
 * Gateway. There are no routes: every path and every method calls the function.
 *
 * @example
 * createServer(eventListener(handler)).listen(3000)
 */
export function eventListener(
  handler: LambdaFunction,
  options: InvokeOptions = {},
): RequestListener {
  return function eventListener(req, res) {
    serve(req).then(
      ({ statusCode, headers, multiValueHeaders, body = '', isBase64Encoded }) => {
        res.statusCode = statusCode
        for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders })) {
          res.setHeader(name, value)
        }
        res.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
      },
      (error) => {
        if (!req.complete) return res.destroy()
        printError('[webhook-receiver] The function failed. The status is 502.', error)
        res.statusCode = 502
        return res.end()
      },
    )
  }

  async function serve(req: IncomingMessage): Promise<LambdaResult> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of req) {
      length += chunk.length
      if (length <= LIMIT) chunks.push(chunk)
    }
    if (length > LIMIT) return { statusCode: 413, body: '', isBase64Encoded: false }
    const { method = '', url: path = '', rawHeaders } = req
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
    )
    return invoke(handler, { method, path, headers, body: Buffer.concat(chunks) }, options)
  }
}

/** Calls a function with the event of a request. */
export async function invoke(
  handler: LambdaFunction,
  request: Parameters<typeof toEvent>[1],
  { form = 'http-api', base64, timeout = 30 }: InvokeOptions,
): Promise<LambdaResult> {
  const end = performance.now() + timeout * 1000
  const context: LambdaContext = { getRemainingTimeInMillis: () => end - performance.now() }
  const event: LambdaEvent = toEvent(form, { ...request, base64 })
  // Through JSON, as the runtime gets it.
  const call = handler as (event: unknown, context: LambdaContext) => unknown
  const result = await call(JSON.parse(JSON.stringify(event)), context)
  if (typeof Object(result).statusCode === 'number') return result as LambdaResult
  throw new TypeError('The function did not resolve to a response with a `statusCode`.')
}
