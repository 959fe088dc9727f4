import { contentOf, verdictDetails, verdictJson } from '../captures/verdict.ts'
import { cut, type Paint, printable, wrap } from '../console/index.ts'
import { serverLines } from './forward.ts'
import type { ReceivedRequest } from './received-request.ts'

/** How much of an event's content is shown, in characters. */
const SHOWN = 400

/** A request as lines of text. */
export function requestLines(request: ReceivedRequest, paint: Paint): readonly string[] {
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
    ...(verdict ? verdictDetails(verdict) : []),
    ...more(),
  ]

  function more(): readonly string[] {
    return [
      ...(forwarded ? serverLines(forwarded, verdict?.valid).flatMap((line) => wrap(line, 2)) : []),
      ...(problem ? wrap(problem, 2) : []),
      ...(path ? [`  ${paint('gray', `saved as ${printable(path)}`)}`] : []),
    ]
  }
}

/** A request as one value for JSON. */
export function requestJson(request: ReceivedRequest): object {
  const { receivedAt, status, verdict, capture, path, problem, unread, forwarded } = request
  return {
    received_at: new Date(receivedAt).toISOString(),
    ...(unread === undefined && { method: capture.method, target: capture.target }),
    ...(verdict && verdictJson(verdict)),
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
