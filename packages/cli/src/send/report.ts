import type { WireDelivery } from '@webhook-receiver/core/testing'
import { type Paint, paintFor } from '../colour.ts'
import type { CommandContext } from '../command-context.ts'
import { printable, writeJson } from '../printable.ts'
import { type Answer, isAccepted, type Transmission } from '../transmission.ts'
import type { Tampering } from './tampering.ts'

/** What was sent, and what came of it. */
export interface Exchange {
  readonly delivery: WireDelivery
  readonly sent: Transmission
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

/** A spoilt delivery is to be refused as the sender's fault; a 5xx would make the service send it again. */
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
  if (status === undefined) return 'Is the receiver running, and is this its port?'
  if (tamper !== undefined) {
    return status < 300
      ? `The delivery was spoilt (${tamper}), and was accepted: the receiver does not check this.`
      : `The delivery was spoilt (${tamper}), and should be refused with a 4xx, which is not sent again.`
  }
  if (status === 401)
    return 'The secrets differ, or the receiver does not see the bytes as sent: see its log.'
  if (status === 404 || status === 405) return 'Is this the path of the receiver?'
  return status < 400
    ? 'A redirect is not followed: send to where it points.'
    : 'See the log of the receiver.'
}
