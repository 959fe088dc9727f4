import { verdictJson } from '../captures/verdict.ts'
import type { ReceivedRequest } from './received-request.ts'

/** How much of a body is shown, in characters. */
export const SHOWN = 400

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

/** The beginning of a body. */
export function bodyText({ body }: Pick<ReceivedRequest['capture'], 'body'>): string {
  return new TextDecoder().decode(body.subarray(0, SHOWN * 4))
}
