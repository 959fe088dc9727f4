import { STATUS_CODES } from 'node:http'
import type { LambdaEvent, LambdaResult } from './event.ts'

/** Turns a web-standard Response with a text body into the result that the source of the event expects. */
export async function toResult(event: LambdaEvent, response: Response): Promise<LambdaResult> {
  const { status, headers } = response
  const result = { statusCode: status, body: await response.text(), isBase64Encoded: false }
  const single = Object.fromEntries(headers)
  const { requestContext, multiValueHeaders } = event
  if (!requestContext.elb) return { ...result, headers: single }
  const statusDescription = `${status} ${STATUS_CODES[status]}`
  // Such a target group ignores `headers`, and takes them in the form in which it sent them.
  if (!multiValueHeaders) return { ...result, statusDescription, headers: single }
  const lists = [...headers].map(([name, value]) => [name, [value]])
  return { ...result, statusDescription, multiValueHeaders: Object.fromEntries(lists) }
}
