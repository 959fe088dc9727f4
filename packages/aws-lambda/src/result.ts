import type { SchemeResponse, WebhookError } from '@webhook-receiver/core'
import type { LambdaEvent, LambdaResult } from './event.ts'

/** Turns a response into the result that the source of the event expects. */
export function toResult(
  { requestContext, multiValueHeaders }: LambdaEvent,
  { status, headers = {}, body = '' }: SchemeResponse,
): LambdaResult {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const isBase64Encoded = typeof body !== 'string'
  const text = isBase64Encoded ? Buffer.from(body).toString('base64') : body
  const result = { statusCode: status, body: text, isBase64Encoded }
  const single = Object.fromEntries(pairs)
  if (!requestContext.elb) return { ...result, headers: single }
  const described = { ...result, statusDescription: `${status} ${PHRASES[status] ?? ''}`.trim() }
  // Such a target group ignores `headers`, and takes them in the form in which it sent them.
  if (!multiValueHeaders) return { ...described, headers: single }
  const lists = pairs.map(([name, value]) => [name, [value]])
  return { ...described, multiValueHeaders: Object.fromEntries(lists) }
}

/** Those of `node:http`, whose import takes longer than everything else at the start of a function. */
const PHRASES: { readonly [status: number]: string } = {
  200: 'OK',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} satisfies Readonly<Record<WebhookError['status'] | 200 | 202 | 204, string>>
