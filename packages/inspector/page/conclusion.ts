import type { AttemptView } from '../src/delivery-view.ts'
import type { Change } from '../src/journal.ts'

/** What happened, in one sentence, and what to do about it. */
export interface Conclusion {
  readonly sentence: string
  readonly fix?: string | undefined
}

/** Goes on from who did it. */
const CHANGES: Readonly<Record<Change, string>> = {
  body: 'changed the body after signing',
  signature: 'changed the signature',
  timestamp: 'changed the timestamp after signing',
  secret: 'signed it with another secret',
  stale: 'signed it with an old timestamp',
  future: 'signed it with a timestamp in the future',
  unsigned: 'removed the signature',
  edited: 'edited the request without signing it again',
}

const STATUS_FIXES: Readonly<Record<number, string>> = {
  401: 'Start your server with the secret of this webhook, and verify the bytes as they arrived. If both are right, check its clock.',
  404: 'Check the path of the URL.',
  405: 'Check the path of the URL, and that the route accepts POST.',
  410: 'After a 410 the service does not retry.',
  413: 'Raise the body limit of your server, or of the proxy in front of it.',
}

export function conclude({ attempt, origin, url, retryAt }: AttemptView): Conclusion {
  const { dot, status, error, change, verdict, method, findings } = attempt
  const server = origin === 'received' ? 'the listen command' : 'your server'
  const invalid = verdict?.valid === false
  const valid = verdict ? 'The signature is valid, but ' : ''
  const [found] = findings ?? []
  const what = !invalid
    ? ''
    : change
      ? `${origin === 'service' ? 'The emulator' : 'You'} ${CHANGES[change]}`
      : method !== 'POST' && verdict.reason === 'method_not_allowed'
        ? `A ${method} request is not a delivery`
        : found?.certainty === 'certain'
          ? found.message.replace(/\.$/, '')
          : inWords(verdict.reason)
  const retry = retryAt === undefined ? '' : ' The service retries it.'
  switch (dot) {
    case 'pending':
      return { sentence: 'Waiting for the response.' }
    case 'good':
      return verdict
        ? { sentence: `Verified, and ${server} accepted it.` }
        : { sentence: 'Accepted. Without the secret, nothing is verified here.' }
    case 'right':
      return {
        sentence: `${what}; ${server} rejected it.`,
        fix: change ? undefined : found?.fix,
      }
    case 'wrong':
      return {
        sentence: `${what}, and ${server} accepted it.`,
        fix: /timestamp_/.test(invalid ? verdict.reason : '')
          ? 'Reject timestamps that are more than 5 minutes from the current time.'
          : 'Verify the signature over the bytes of the body before anything else happens.',
      }
    case 'none':
      return {
        sentence: invalid && !change ? `${what}.` : `No response: ${error}.`,
        fix: /ECONNREFUSED/.test(error ?? '')
          ? `Start your server at ${new URL(url).host}, or check the port.`
          : undefined,
      }
    case 'fail':
      return {
        sentence: invalid
          ? `${what}; ${server} failed with ${status} instead of rejecting it.`
          : `${valid}${server} failed with ${status}.${retry}`,
        fix: invalid
          ? 'Respond with a 4xx: after a 5xx the service retries.'
          : 'The log of your server has the error.',
      }
    case 'bad':
      return {
        sentence: `${valid}${server} rejected it with ${status}.${retry}`,
        fix:
          STATUS_FIXES[status ?? 0] ??
          ((status ?? 0) < 400
            ? 'Redirects are not followed: register the URL that it redirects to.'
            : 'See the response, and the log of your server.'),
      }
  }
}

/** "Signature mismatch": a reason is its own name, and the other sentences about it are in the verdict. */
function inWords(reason: string): string {
  const words = reason.replaceAll('_', ' ')
  return words[0]?.toUpperCase() + words.slice(1)
}
