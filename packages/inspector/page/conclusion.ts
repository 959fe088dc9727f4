import type { AttemptView } from '../src/delivery-view.ts'
import { changeText, milliseconds } from './format.ts'

/** What happened, in one sentence, and what to do about it. */
export interface Conclusion {
  readonly sentence: string
  /** What the sentence leaves open. */
  readonly why?: string | undefined
  readonly fix?: string | undefined
  readonly next?: string | undefined
}

const STATUS_FIXES: Readonly<Record<number, string>> = {
  401: 'Start your server with the secret of this webhook, and verify the bytes as they arrived. If both are right, check its clock.',
  404: 'Check the path of the URL.',
  405: 'Check the path of the URL, and that the route accepts POST.',
  413: 'Raise the body limit of your server, or of the proxy in front of it.',
}

export function conclude(view: AttemptView): Conclusion {
  const { attempt, attempts, origin, url, start, retryAt, outcome, note, yours } = view
  const { dot, status = 0, error, change, verdict, ms } = attempt
  const retry = retryAt === undefined ? '' : ' The service retries it.'
  if (dot === 'pending') return { sentence: 'Waiting for the response.' }
  if (dot === 'none' && yours) {
    const fix = error?.includes('ECONNREFUSED')
      ? `Start your server at ${new URL(url).host}, or check the port.`
      : undefined
    return { sentence: `No response: ${error}.${retry}`, fix }
  }
  if (verdict?.valid === false) {
    const cause = change
      ? {
          sentence: `Tampered with (${changeText(change)}).`,
          why: note && attempts === 1 ? `${note}.` : undefined,
        }
      : causeOf(view, verdict)
    const server = yours ? 'your server' : 'listen'
    const did: { readonly [End in typeof dot]?: string } = {
      right: 'rejected it, as it should',
      bad: 'rejected it',
      fail: `failed with ${status} instead of rejecting it`,
    }
    const isOfYours = yours || change
    return {
      ...cause,
      sentence:
        dot === 'wrong' && isOfYours
          ? `${yours ? 'Your server' : server} accepted it: ${change ? cause.sentence.toLowerCase() : cause.sentence}`
          : did[dot] && isOfYours
            ? `${cause.sentence.slice(0, -1)}; ${server} ${did[dot]}.`
            : cause.sentence,
      ...(dot === 'wrong' && { fix: verifyFix(verdict.reason) }),
      ...(dot === 'fail' && { fix: 'Respond with a 4xx: after a 5xx the service retries.' }),
    }
  }
  const valid = verdict ? 'The signature is valid' : 'The signature was not checked here'
  if (!yours) {
    const not = dot === 'good' ? '' : ` The response was ${status || error}.`
    return { sentence: `${valid}.${not}` }
  }
  if (dot === 'good') {
    return { sentence: `${valid}. Your server responded with ${status} in ${milliseconds(ms)}.` }
  }
  if (dot === 'fail') {
    const sentence =
      origin === 'service' && outcome === 'exhausted' && attempts > 1
        ? `Your server failed ${attempts} times; the service gives up.`
        : `${valid}, but your server failed with ${status}.${retry}`
    return { sentence, next: 'Look for its id in the log of your server.' }
  }
  if (status === 410 && origin === 'service' && outcome === 'rejected') {
    return {
      sentence: 'Your server ended the subscription (410 Gone): nothing more is sent to it.',
    }
  }
  const other =
    status < 400
      ? 'Redirects are not followed: register the URL that it redirects to.'
      : 'See the response, and the log of your server.'
  return {
    sentence: `${valid}, but your server rejected it with ${status}.${retry}`,
    fix:
      (start && status === 401 && `Restart it with the secret of this webhook: ${start}`) ||
      (STATUS_FIXES[status] ?? other),
  }
}

/** The cause, or else what was seen. */
function causeOf(
  { attempt: { findings } }: AttemptView,
  { detail }: { readonly detail: string },
): Conclusion {
  const [found] = findings ?? []
  if (found) {
    const [sentence = '', why] = found.message.split(/(?<=\.) (?=[A-Z])/)
    return { sentence, why, fix: found.fix }
  }
  const [, start = detail, rest = ''] = /^(.+?)[.;:]\s+(.*)$/s.exec(detail) ?? []
  const why = `${rest[0]?.toUpperCase() ?? ''}${rest.slice(1)}`
  return { sentence: `${start.replace(/\.$/, '')}.`, why }
}

function verifyFix(reason: string): string {
  return reason.startsWith('timestamp_')
    ? 'Reject timestamps that are more than 5 minutes from the current time.'
    : 'Verify the signature over the bytes of the body before anything else happens.'
}
