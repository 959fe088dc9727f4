import type { Paint } from '../colour.ts'
import { judgementJson, judgementLines } from '../judgement-text.ts'
import { printable } from '../printable.ts'
import type { Reception } from './reception.ts'

/** How much of an event's content is shown, in characters. */
const SHOWN = 400

/** A reception in lines for a person. */
export function accountLines(reception: Reception, paint: Paint): readonly string[] {
  const { receivedAt, status, judgement, capture, path, problem } = reception
  const time = new Date(receivedAt).toISOString().slice(11, 23)
  const request = capture ? printable(`${capture.method} ${capture.target}`) : 'a request'
  const [verdict = 'not verified', ...details] = judgement ? judgementLines(judgement, paint) : []
  return [
    `${paint('gray', time)}  ${status ?? '---'}  ${request}${problem === undefined || capture ? `  ${verdict}` : ''}`,
    ...details,
    ...(judgement?.valid ? [`  ${content(judgement.delivery.data.data)}`] : []),
    ...(problem === undefined ? [] : [`  ${paint('red', printable(problem))}`]),
    ...(path === undefined ? [] : [`  ${paint('gray', `kept as ${printable(path)}`)}`]),
  ]
}

/** The same for JSON. */
export function accountJson(reception: Reception): object {
  const { receivedAt, status, judgement, capture, path, problem } = reception
  return {
    received_at: new Date(receivedAt).toISOString(),
    ...(capture && { method: capture.method, target: capture.target }),
    ...(judgement ? judgementJson(judgement) : {}),
    status: status ?? null,
    ...(path !== undefined && { capture: path }),
    ...(problem !== undefined && { problem }),
  }
}

function content(data: unknown): string {
  const text = printable(JSON.stringify(data))
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}
