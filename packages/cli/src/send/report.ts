import type { WireDelivery } from '@webhook-receiver/core/testing'
import type { Tampering } from '@webhook-receiver/emulator/request'
import { type Paint, paintFor } from '../colour.ts'
import type { CommandContext } from '../command-context.ts'
import { printable, writeJson } from '../printable.ts'
import { type Answer, isAccepted, type OutgoingRequest } from '../send-request.ts'

/** What was sent, and the answer. */
export interface Exchange {
  readonly delivery: WireDelivery
  readonly sent: OutgoingRequest
  readonly answer: Answer
  readonly tamper: Tampering | undefined
}

/** Prints an exchange, and says whether the answer is the right one. */
export function report(
  exchange: Exchange,
  { json, context }: { readonly json?: true | undefined; readonly context: CommandContext },
): boolean {
  const { stdout, env } = context
  const ok = isRight(exchange)
  if (json) writeJson(stdout, jsonReport(exchange, ok))
  else stdout.write(`${textReport(exchange, ok, paintFor(stdout, env)).join('\n')}\n`)
  return ok
}

/** A delivery that was tampered with should be answered 4xx: after a 5xx the service would send it again. */
function isRight({ answer, tamper }: Exchange): boolean {
  if (tamper === undefined) return isAccepted(answer)
  return answer.status !== undefined && answer.status >= 400 && answer.status < 500
}

function jsonReport({ delivery, sent, answer, tamper }: Exchange, ok: boolean): object {
  return {
    ok,
    ...(tamper !== undefined && { tamper }),
    sent: {
      url: sent.url.href,
      id: delivery.id,
      event: delivery.event,
      headers: sent.headers,
      body: Buffer.from(sent.body).toString(),
    },
    answer: {
      status: answer.status ?? null,
      ...(answer.error !== undefined && { error: answer.error }),
      headers: answer.headers,
      body: answer.body,
      milliseconds: answer.duration,
    },
  }
}

function textReport(
  { sent, answer, tamper }: Exchange,
  ok: boolean,
  paint: Paint,
): readonly string[] {
  return [
    paint('bold', `POST ${printable(sent.url.href)}`),
    ...sent.headers.map(([name, value]) => `${paint('gray', `${name}:`)} ${printable(value)}`),
    printable(Buffer.from(sent.body).toString()),
    '',
    `${paint(ok ? 'green' : 'red', outcome(answer))} after ${answer.duration} ms`,
    ...(answer.body === '' ? [] : [printable(answer.body)]),
    ...(ok ? [] : [advice(answer, tamper)]),
  ]
}

function outcome({ status, error }: Answer): string {
  return status === undefined ? `no answer (${printable(error ?? '')})` : `answered ${status}`
}

function advice({ status }: Answer, tamper: Tampering | undefined): string {
  if (status === undefined) return 'Check that the receiver is running, and that the port is right.'
  if (tamper !== undefined) {
    return status < 300
      ? `The delivery was tampered with (${tamper}), and the receiver accepted it: it does not check this.`
      : `The delivery was tampered with (${tamper}): the receiver should answer 4xx, so that it is not sent again.`
  }
  if (status === 401)
    return 'The receiver has another secret, or does not get the bytes as they were sent: see its log.'
  if (status === 404 || status === 405) return 'Check the path of the URL.'
  return status < 400
    ? 'Redirects are not followed: send to the URL that it redirects to.'
    : 'See the log of the receiver.'
}
