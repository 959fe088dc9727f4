import type { SchemeResponse } from '../validate/response.ts'
import type { Scheme } from '../verify/scheme.ts'

/**
 * Fails a reply that the service would not act on, which would otherwise be known to the service alone.
 *
 * @throws TypeError that says what the service accepts.
 */
export function checkAccepted(reply: SchemeResponse, { replies, title, name }: Scheme): void {
  if (!replies) return
  const { statuses, instead } = replies
  const { status, headers, body } = reply
  const types = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  const type = body === undefined ? undefined : essenceOf(headers?.['content-type'])
  if (types && (asksForRetry(status) || fits(type, types))) return
  const seen = `${status} with ${type ?? 'no body'}`
  const isWritten = type === 'text/plain' && types?.includes(JSON_TYPE)
  throw new TypeError(
    `The reply is ${seen}, but ${title ?? name} accepts only ${listed(Object.entries(statuses).map(described))}.` +
      (isWritten
        ? ' Pass the value itself instead of JSON.stringify(…): reply writes it as JSON.'
        : '') +
      (!types && instead ? ` ${instead}` : ''),
  )
}

const JSON_TYPE = 'application/json'

/** The body of such a reply is for people. */
function asksForRetry(status: number): boolean {
  return status === 429 || status >= 500
}

function fits(type: string | undefined, types: readonly string[]): boolean {
  return type === undefined ? types.length === 0 : types.includes(type)
}

/** The media type without its parameters. */
function essenceOf(type = ''): string {
  return type.replace(/;.*/s, '').trim().toLowerCase()
}

function described([status, types]: readonly [string, readonly string[]]): string {
  if (asksForRetry(Number(status))) return `${status} for a retry`
  return `${status} with ${types.length > 0 ? types.join(' or ') : 'no body'}`
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
