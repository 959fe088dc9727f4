import type { SchemeResponse } from '@webhook-receiver/core'
import type {
  ReceivedResponse,
  SignedRequest,
  Tampering,
} from '@webhook-receiver/emulator/internal'
import {
  type CommandContext,
  type Paint,
  paintFor,
  printable,
  wrap,
  writeJson,
} from '../console/index.ts'

/** What was sent, and the response. */
export interface Exchange {
  readonly id: string
  readonly event: string
  readonly url: URL
  readonly sent: SignedRequest
  readonly response: ReceivedResponse
  /** The one status that the service takes for success; `undefined`: any 2xx. */
  readonly success: SchemeResponse | undefined
  readonly tamper: Tampering | undefined
}

/** Prints an exchange, and says whether the response is the right one. */
export function report(
  { id, event, url, sent, response, success, tamper }: Exchange,
  { json, context }: { readonly json?: true | undefined; readonly context: CommandContext },
): boolean {
  const { stdout, env } = context
  const { status, headers, body, error } = response
  const text = Buffer.from(sent.body).toString()
  const milliseconds = Math.round(response.duration)
  // A delivery that was tampered with should get a 4xx: after a 5xx the service would retry.
  const expected = tamper === undefined ? String(success?.status ?? '2xx') : '4xx'
  const ok = expected === String(status) || expected === `${String(status)[0]}xx`
  if (json) {
    writeJson(stdout, {
      ok,
      ...(tamper !== undefined && { tamper }),
      sent: { url: url.href, id, event, headers: sent.headers, body: text },
      response: {
        status: status ?? null,
        ...(error !== undefined && { error }),
        headers,
        body,
        milliseconds,
      },
    })
    return ok
  }
  const paint = paintFor(stdout, env)
  const lines = [
    paint('bold', `POST ${printable(url.href)}`),
    ...sent.headers.map(([name, value]) => `${paint('gray', `${name}:`)} ${printable(value)}`),
    '',
    ...formatted(text).split('\n').map(printable),
    '',
    `${ok ? '✓' : '✗'} ${verdictText(response, { ok, expected, tamper, paint })}`,
    ...(body === '' ? [] : [printable(body)]),
    ...(ok ? [] : wrap(advice(response, { expected, tamper }), 2)),
  ]
  stdout.write(`${lines.join('\n')}\n`)
  return ok
}

/** What the response was, and whether that was to be expected. Only the status has a colour. */
function verdictText(
  { status, error, duration }: ReceivedResponse,
  {
    ok,
    expected,
    tamper,
    paint,
  }: Pick<Exchange, 'tamper'> & {
    readonly ok: boolean
    readonly expected: string
    readonly paint: Paint
  },
): string {
  if (status === undefined) return `no response: ${printable(error ?? '')}`
  const did = status < 300 ? 'accepted' : status < 500 ? 'rejected' : 'failed'
  const asExpected = tamper === undefined ? '' : ', as expected'
  const note = ok ? asExpected : `, expected ${expected}`
  return `${did} with ${paint(ok ? 'green' : 'red', String(status))}${note} (${Math.round(duration)} ms)`
}

/** JSON with a property in each line; other text as it is. The bytes that were sent have no white space. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function advice(
  { status }: ReceivedResponse,
  { expected, tamper }: Pick<Exchange, 'tamper'> & { readonly expected: string },
): string {
  if (status === undefined) return 'Check that the receiver is running, and that the port is right.'
  if (tamper !== undefined) {
    return status < 300
      ? `The delivery was tampered with (${tamper}), and the receiver accepted it: it does not check this.`
      : `The delivery was tampered with (${tamper}): the receiver should respond with a 4xx, so that the service does not retry.`
  }
  if (status === 401) {
    return 'The receiver has another secret, or does not get the bytes as they were sent: see its log.'
  }
  if (status === 404 || status === 405) return 'Check the path of the URL.'
  if (status < 300) return `The service takes only ${expected} for success.`
  return status < 400
    ? 'Redirects are not followed: send to the URL that it redirects to.'
    : 'See the log of the receiver.'
}
