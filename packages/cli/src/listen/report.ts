import type { Scheme } from '@webhook-receiver/core'
import { readFacts } from '@webhook-receiver/emulator/internal'
import { prettyJson } from '@webhook-receiver/inspector/pretty-json'
import type { Briefly } from '../captures/briefly.ts'
import { contentOf, verdictDetails } from '../captures/verdict.ts'
import {
  beside,
  cut,
  eventColumn,
  type Output,
  type Paint,
  printable,
  shortId,
  wallClock,
  wrap,
} from '../console/index.ts'
import { serverProblem } from './forward.ts'
import type { ReceivedRequest } from './received-request.ts'
import { bodyText, SHOWN } from './request-json.ts'

/** One line with the verdict; below it, of a request that failed, what happened, the cause and the fix. `verbose` adds the body. */
export function requestLines(
  request: ReceivedRequest,
  paint: Paint,
  scheme: Scheme,
  briefly: Briefly,
  output: Output,
  verbose = false,
): readonly string[] {
  const { status, duration, verdict, path, problem, forwarded, secret } = request
  // What was not verified is not shown as if it were valid.
  const [mark, colour] = !isGood(request)
    ? (['✗', 'red'] as const)
    : verdict || forwarded
      ? (['✓', 'green'] as const)
      : (['·', 'yellow'] as const)
  const { name, id, notes } = namesOf(request, scheme)
  const time = timeOf(request)
  const took = `${Math.round(duration)} ms`.padStart(7)
  const line = [
    paint('gray', time),
    `${paint(colour, `${mark} ${status ?? '---'}`)}  ${eventColumn(name)} ${took}`,
    ...(id ? [shortId(id)] : []),
  ].join('  ')
  const noted = notes.length > 0 ? printable(`(${notes.join(', ')})`) : ''
  // Each is shown once: a server that is down has nothing to do with the signature.
  const causes = [
    (forwarded ? serverProblem(forwarded, verdict) : []).flatMap((text) => wrap(text, 2)),
    verdict?.valid === false ? verdictDetails(toldOf(verdict, secret), scheme, 'Restart') : [],
  ]
  return [
    ...beside(line, noted, output),
    ...causes.flatMap((lines) => briefly(lines, `at ${time}`)),
    ...(secret === undefined ? [] : secretLines(secret, scheme)),
    ...(problem ? wrap(problem, 2) : []),
    ...(verbose || !verdict ? bodyLines(request, paint) : []),
    ...(path ? [`  ${paint('gray', `saved as ${printable(path)}`)}`] : []),
  ]
}

/** Whether it was not rejected: neither by listen, nor by the server that it was forwarded to. */
export function isGood({ verdict, status = 500 }: ReceivedRequest): boolean {
  return verdict?.valid !== false && status < 300
}

/** What to do with a secret that came is said beside it, and not twice. */
function toldOf(
  verdict: Extract<ReceivedRequest['verdict'], { valid: false }>,
  secret: string | undefined,
): typeof verdict {
  if (secret === undefined) return verdict
  return { ...verdict, detail: verdict.detail.replace(/(?<=\.) .*/s, '') }
}

/** All of a request: the head, the body and what verification says of it. */
export function detailLines(
  request: ReceivedRequest,
  paint: Paint,
  scheme: Scheme,
): readonly string[] {
  const { capture, verdict } = request
  const { method, target, headers, body } = capture
  const text = new TextDecoder().decode(body)
  return [
    paint('bold', printable(`${method} ${target}`)),
    ...headers.map(([name, value]) => `${paint('gray', `${name}:`)} ${printable(value)}`),
    '',
    ...(prettyJson(text) ?? text).split('\n').map(printable),
    '',
    ...(verdict?.valid === false ? verdictDetails(verdict, scheme, 'Restart') : []),
  ]
}

export function timeOf({ receivedAt }: Pick<ReceivedRequest, 'receivedAt'>): string {
  return wallClock(receivedAt)
}

/** What a request is called: what it says of itself, if it is not verified. */
export function namesOf(
  { capture, verdict, unread }: Pick<ReceivedRequest, 'capture' | 'verdict' | 'unread'>,
  scheme: Scheme,
): { readonly name: string; readonly id: string; readonly notes: readonly string[] } {
  const line = `${capture.method} ${capture.target}`
  if (!verdict?.valid) {
    const [sender = scheme] = verdict?.others ?? []
    const { event, id = '' } = unread ? {} : readFacts(sender, capture, '')
    return { name: event || line, id, notes: verdict ? [] : [unread ?? 'not verified'] }
  }
  const { delivery = {}, handshake = line, secretName } = verdict
  const { event = handshake, id = '', known } = delivery
  const { instance } = contentOf(delivery)
  const notes = [
    instance,
    known === false && 'an unknown event',
    secretName && `verified with ${secretName}`,
  ].filter((note) => typeof note === 'string')
  return { name: event, id, notes }
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

function bodyLines({ capture }: ReceivedRequest, paint: Paint): readonly string[] {
  const text = compact(bodyText(capture))
  return text === '' ? [] : [`  ${paint('gray', cut(printable(text), SHOWN))}`]
}

/** JSON in one line; other text, or JSON that was cut, as it is. */
function compact(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  // Not written again, which would change numbers: only white space at the line breaks goes.
  return text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ')
}
