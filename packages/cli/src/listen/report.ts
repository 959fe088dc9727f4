import type { Paint } from '../colour.ts'
import { printable } from '../printable.ts'
import { verificationJson, verificationLines } from '../verification-report.ts'
import type { ReceivedRequest } from './received-request.ts'

/** How much of an event's content is shown, in characters. */
const SHOWN = 400

/** A request as lines of text. */
export function requestLines(request: ReceivedRequest, paint: Paint): readonly string[] {
  const { receivedAt, status, result, capture, path, problem } = request
  const time = new Date(receivedAt).toISOString().slice(11, 23)
  const line = capture ? printable(`${capture.method} ${capture.target}`) : 'a request'
  const [verdict = 'not verified', ...details] = result ? verificationLines(result, paint) : []
  return [
    `${paint('gray', time)}  ${status ?? '---'}  ${line}${problem === undefined || capture ? `  ${verdict}` : ''}`,
    ...details,
    ...(result?.valid ? [`  ${content(result.delivery.data.data)}`] : []),
    ...(problem === undefined ? [] : [`  ${paint('red', printable(problem))}`]),
    ...(path === undefined ? [] : [`  ${paint('gray', `saved as ${printable(path)}`)}`]),
  ]
}

/** A request as one value for JSON. */
export function requestJson(request: ReceivedRequest): object {
  const { receivedAt, status, result, capture, path, problem } = request
  return {
    received_at: new Date(receivedAt).toISOString(),
    ...(capture && { method: capture.method, target: capture.target }),
    ...(result ? verificationJson(result) : {}),
    status: status ?? null,
    ...(path !== undefined && { capture: path }),
    ...(problem !== undefined && { problem }),
  }
}

function content(data: unknown): string {
  const text = printable(JSON.stringify(data))
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}
