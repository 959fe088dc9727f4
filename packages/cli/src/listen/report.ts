import type { Scheme } from '@webhook-receiver/core'
import { contentOf, verdictDetails, verdictJson } from '../captures/verdict.ts'
import { cut, type Paint, printable, wrap } from '../console/index.ts'
import { serverLines } from './forward.ts'
import type { ReceivedRequest } from './received-request.ts'

/** How much of an event's content, or of a body, is shown, in characters. */
const SHOWN = 400

/** A request as lines of text. */
export function requestLines(
  request: ReceivedRequest,
  paint: Paint,
  scheme: Pick<Scheme, 'title' | 'requests'>,
): readonly string[] {
  const { receivedAt, status, duration, verdict, capture, path, problem, forwarded } = request
  const time = new Date(receivedAt).toISOString().slice(11, 19)
  const colour = status === undefined || status >= 300 ? 'red' : 'green'
  const start = `${paint('gray', time)}  ${paint(colour, String(status ?? '---'))}`
  const took = `${Math.round(duration)} ms`.padStart(7)
  const line = printable(`${capture.method} ${capture.target}`).padEnd(21)
  if (verdict?.valid) {
    const { delivery = {}, handshake = '', secretName } = verdict
    const { event = handshake, id = '', known } = delivery
    const { instance = '', content } = contentOf(delivery)
    const notes = [
      ...(known === false ? ['an unknown event'] : []),
      ...(secretName === undefined ? [] : [`verified with ${secretName}`]),
    ]
    const about = `${printable(id.slice(0, 8))}  ${printable(instance)}`
    return [
      `${start}  ${printable(event).padEnd(21)} ${took}  ${about}${notes.length > 0 ? `  (${printable(notes.join(', '))})` : ''}`,
      `  ${paint('gray', cut(printable(JSON.stringify(content) ?? ''), SHOWN))}`,
      ...more(),
    ]
  }
  const found = verdict ? verdict.reason : (request.unread ?? 'not verified')
  return [
    `${start}  ${line} ${took}  ${found}`,
    ...(verdict ? verdictDetails(verdict) : shownBody()),
    ...(request.secret === undefined ? [] : secretLines(request.secret, scheme)),
    ...more(),
  ]

  /** Of what is not verified, nothing else is known. */
  function shownBody(): readonly string[] {
    const text = bodyText(capture)
    return text === '' ? [] : [`  ${paint('gray', cut(printable(text), SHOWN))}`]
  }

  function more(): readonly string[] {
    return [
      ...(forwarded ? serverLines(forwarded, verdict?.valid).flatMap((line) => wrap(line, 2)) : []),
      ...(problem ? wrap(problem, 2) : []),
      ...(path ? [`  ${paint('gray', `saved as ${printable(path)}`)}`] : []),
    ]
  }
}

/** A secret that came in an unsigned request, and what to do with it. */
function secretLines(
  secret: string,
  { title = 'the service', requests: { signing } = {} }: Pick<Scheme, 'title' | 'requests'>,
): readonly string[] {
  const then = signing ?? 'pass this secret to your receiver'
  return [
    `  The secret in it: ${secret}`,
    ...wrap(
      `Anybody can send such a request. If ${title} sent it, because you have just asked for it: ${then}.`,
      2,
    ),
  ]
}

function bodyText({ body }: Pick<ReceivedRequest['capture'], 'body'>): string {
  return new TextDecoder().decode(body.subarray(0, SHOWN * 4))
}

/** A request as one value for JSON. */
export function requestJson(request: ReceivedRequest): object {
  const { receivedAt, status, verdict, capture, path, problem, unread, forwarded } = request
  return {
    received_at: new Date(receivedAt).toISOString(),
    ...(unread === undefined && { method: capture.method, target: capture.target }),
    ...(verdict ? verdictJson(verdict) : unread === undefined && { body: bodyText(capture) }),
    secret: request.secret,
    status: status ?? null,
    forwarded: forwarded && {
      status: forwarded.status ?? null,
      error: forwarded.error,
      milliseconds: Math.round(forwarded.duration),
    },
    capture: path,
    problem,
  }
}
