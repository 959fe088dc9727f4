import {
  headerValue,
  type ReceivedResponse,
  type SignedRequest,
  type Tampering,
} from '@webhook-receiver/emulator/internal'
import { prettyJson } from '@webhook-receiver/inspector/pretty-json'
import {
  type CommandContext,
  isMissing,
  isNotConnected,
  noResponse,
  paintFor,
  printable,
  serverAdvice,
  wrap,
  writeJson,
} from '../console/index.ts'
import { notChecked } from '../signing/not-checked.ts'

/** What was sent, and the response. */
export interface Exchange {
  readonly id: string
  readonly event: string
  readonly url: URL
  readonly sent: SignedRequest
  readonly response: ReceivedResponse
  /** The statuses that the service takes for success; `undefined`: any 2xx. */
  readonly successes: readonly string[] | undefined
  readonly tamper: Tampering | undefined
  readonly changed: string | undefined
  /** What may be forgotten where the receiver responds with 401. */
  readonly forgotten: string
  /** As the log of the receiver shows its secret, if it is the one that belongs to this signature. */
  readonly fingerprint: string
  /** Where the fix is for a receiver that accepts what was tampered with. */
  readonly howToFix: readonly string[]
}

/** Prints an exchange, and says whether the response is the right one. */
export function report(
  {
    id,
    event,
    url,
    sent,
    response,
    successes = ['2xx'],
    tamper,
    changed,
    forgotten,
    fingerprint,
    howToFix,
  }: Exchange,
  { json, context }: { readonly json?: true | undefined; readonly context: CommandContext },
): boolean {
  const { stdout, env } = context
  const { status, headers, body, error } = response
  const text = Buffer.from(sent.body).toString()
  const milliseconds = Math.round(response.duration)
  // A delivery that was tampered with should get a 4xx: after a 5xx the service would retry.
  const wanted = tamper === undefined ? successes : ['4xx']
  const expected = wanted.join(' or ')
  const isTrusting = tamper !== undefined && status !== undefined && status < 300
  const isRewritten = tamper === 'body_reserialized'
  const isUnproven = tamper !== undefined && isMissing(status)
  const ok =
    !isUnproven && [String(status), `${String(status)[0]}xx`].some((one) => wanted.includes(one))
  if (json) {
    writeJson(stdout, {
      ok,
      tamper,
      sent: { url: url.href, id, event, headers: sent.headers, body: text },
      response: {
        status: status ?? null,
        error,
        headers,
        body,
        milliseconds,
      },
    })
    return ok
  }
  const paint = paintFor(stdout, env)
  const lines = [
    ...(isNotConnected(error) ? [] : request()),
    ...verdict(),
    ...(body === '' ? [] : [pageText(body)]),
    ...(ok ? [] : wrap(advice() + forgotten, 2)),
    ...(isTrusting && !isRewritten ? howToFix : []),
  ]
  stdout.write(`${lines.join('\n')}\n`)
  return ok

  function request(): readonly string[] {
    return [
      paint('bold', `POST ${printable(url.href)}`),
      ...sent.headers.map(
        ([name, value]) => `${paint('gray', `${name.toLowerCase()}:`)} ${printable(value)}`,
      ),
      '',
      ...(prettyJson(text) ?? text).split('\n').map(printable),
      '',
      ...(changed === undefined ? [] : [`Tampered: ${changed}`]),
    ]
  }

  /** What the response was, and whether that was to be expected. */
  function verdict(): readonly string[] {
    const colour = ok ? 'green' : 'red'
    const mark = paint(colour, ok ? '✓' : '✗')
    if (status === undefined) {
      const [first = '', ...others] = wrap(`✗ ${noResponse(error)}`, 0)
      return [first.replace('✗', mark), ...others]
    }
    const isOther = status < 300 && !ok && tamper === undefined
    const did = isOther ? 'responded' : (DID[Math.floor(status / 100)] ?? 'failed')
    const right = tamper ? ', as expected' : ''
    const wrong = isUnproven ? ', which proves nothing' : `, expected ${expected}`
    const note = ok ? right : wrong
    return [`${mark} ${did} with ${paint(colour, String(status))}${note} (${milliseconds} ms)`]
  }

  function advice(): string {
    if (tamper === undefined || status === undefined || isUnproven) {
      return status && status < 300
        ? `The service takes only ${expected} for success.`
        : serverAdvice(status, {
            body,
            error,
            fingerprint,
            location: headerValue(headers, 'location'),
          })
    }
    if (status < 300 && isRewritten)
      return 'The bytes were changed, and the content is the same: the receiver verifies JSON that it has written again. Let it verify the raw body.'
    return status < 300
      ? `The receiver accepted a delivery that was tampered with (${tamper}): it does not check ${notChecked([tamper])}.`
      : `The delivery was tampered with (${tamper}): the receiver should respond with a 4xx, so that the service does not retry.`
  }
}

/** What a receiver did, by the first digit of its status. */
const DID: Readonly<Record<number, string>> = { 2: 'accepted', 3: 'redirected', 4: 'rejected' }

/** A page is shown without its tags. */
function pageText(body: string): string {
  if (!/^\s*<(?:!doctype|html)/i.test(body)) return printable(body)
  // A long one ends anywhere.
  const text = body
    .replace(/<(style|script|title).*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gis, ' ')
    .replace(/\s+/g, ' ')
  return `HTML page (${Buffer.byteLength(body)} bytes):${printable(text.trimEnd())}`
}
