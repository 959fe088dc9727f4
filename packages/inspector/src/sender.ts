import {
  type Header,
  headerValue,
  type SignedRequest,
  signAgain,
  signTampered,
  withHeader,
} from '@webhook-receiver/emulator/request'
import { CommandError, type SendCommand } from './command.ts'
import type { WireRequest } from './exchange.ts'
import type { Attempt, Delivery, Journal } from './journal.ts'
import type { ResolvedOptions } from './options.ts'
import { outgoingHeaders, send } from './send.ts'
import { type KnownTarget, signingSecret, type Targets } from './targets.ts'
import { verify } from './verification.ts'

/** How many requests of the page may be under way. */
const MAX_UNDER_WAY = 500

/** Sends what the page asks for, and records it. */
export interface Sender {
  /**
   * Resolves when the requests are on their way.
   *
   * @throws CommandError if that is impossible.
   */
  send(command: SendCommand): Promise<Delivery>
  /** Ends the requests that are under way. */
  stop(): void
}

export function createSender(journal: Journal, targets: Targets, options: ResolvedOptions): Sender {
  const end = new AbortController()
  let underWay = 0

  function prepare(command: SendCommand): {
    readonly target: KnownTarget
    readonly headers: readonly Header[]
    readonly body: Uint8Array
  } {
    const source = command.from && findSource(journal, command.from)
    const target = targets.get(command.target ?? source?.delivery.target ?? '')
    if (target === undefined) throw new CommandError('Choose a receiver to send to.')
    const body = command.body ?? source?.attempt.body
    if (body === undefined) {
      throw new CommandError('The body of this request was dropped to save memory.', 410)
    }
    return { target, headers: command.headers ?? source?.attempt.headers ?? DEFAULT_HEADERS, body }
  }

  function sign(
    request: SignedRequest,
    secret: string,
    { tamper }: SendCommand,
  ): Promise<SignedRequest> {
    const now = options.now()
    return tamper ? signTampered(request, secret, now, tamper) : signAgain(request, secret, now)
  }

  async function run(
    delivery: Delivery,
    request: WireRequest,
    note: string | undefined,
    target: KnownTarget,
  ): Promise<void> {
    const at = options.now()
    const attempt = journal.addAttempt(delivery, request, { at, note })
    attempt.verdict = await verify(request, target.secrets, at, options)
    underWay += 1
    attempt.answer = await send(
      target.url,
      request.headers,
      request.body,
      options.timeout,
      end.signal,
    )
    underWay -= 1
    journal.changed(delivery)
  }

  return {
    async send(command) {
      const { target, ...prepared } = prepare(command)
      if (underWay + command.copies > MAX_UNDER_WAY) {
        throw new CommandError('Too many requests are under way: wait for their answers.', 503)
      }
      const secret = signingSecret(target)
      if (command.sign && secret === undefined) {
        throw new CommandError('There is no secret to sign with for this receiver.')
      }
      const known = bodyFacts(prepared.body)
      const identified =
        known.id !== undefined && command.from === undefined
          ? withHeader(prepared.headers, 'X-Webhook-Id', known.id)
          : prepared.headers
      const unsigned = { headers: identified, body: prepared.body }
      const { headers, body } =
        command.sign && secret !== undefined ? await sign(unsigned, secret, command) : unsigned
      const request = {
        method: 'POST',
        target: `${target.url.pathname}${target.url.search}`,
        httpVersion: '1.1',
        headers: outgoingHeaders(headers, target.url, body),
        body,
      }
      const delivery = journal.add({
        origin: 'page',
        at: options.now(),
        event: known.event ?? '',
        instance: known.instance ?? '',
        id: headerValue(headers, 'x-webhook-id') ?? known.id ?? '',
        target: target.id,
        note: noteOf(command),
      })
      const all = Array.from({ length: command.copies }, (_, index) =>
        run(delivery, request, command.copies > 1 ? `copy ${index + 1}` : undefined, target),
      )
      Promise.all(all).then(() => {
        delivery.outcome = outcomeOf(delivery.attempts)
        journal.changed(delivery)
      })
      return delivery
    },
    stop: () => end.abort(),
  }
}

const DEFAULT_HEADERS: readonly Header[] = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'webhook-receiver-inspector'],
]

/** What a body says, without trusting it. */
export function bodyFacts(body: Uint8Array): {
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly instance?: string | undefined
} {
  try {
    const { id, event, data } = JSON.parse(Buffer.from(body).toString()) ?? {}
    return { id: shortText(id), event: shortText(event), instance: shortText(data?.instance_id) }
  } catch {
    return {}
  }
}

/** Of the list, which has no room for more. */
function shortText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 200) : undefined
}

function findSource(
  journal: Journal,
  { n, attempt: number }: NonNullable<SendCommand['from']>,
): { readonly delivery: Delivery; readonly attempt: Attempt } {
  const delivery = journal.get(n)
  const attempt = delivery?.attempts[number - 1]
  if (delivery && attempt) return { delivery, attempt }
  throw new CommandError('This delivery was dropped to save memory.', 410)
}

function noteOf({ from, sign, tamper, copies, headers, body }: SendCommand): string {
  const edited = from !== undefined && (headers !== undefined || body !== undefined)
  const what = [
    ...(copies > 1 ? [`${copies} at once`] : []),
    ...(tamper === undefined ? [] : [`tampered: ${tamper}`]),
    ...(edited ? ['edited'] : []),
    ...(from === undefined || tamper !== undefined ? [] : [sign ? 'signed again' : 'sent again']),
  ]
  return what.join(', ') || 'sent'
}

function outcomeOf(attempts: readonly Attempt[]): Delivery['outcome'] {
  const statuses = attempts.map(({ answer }) => answer?.status ?? 0)
  if (statuses.some((status) => status >= 200 && status < 300)) return 'delivered'
  return statuses.every((status) => status === 0) ? 'exhausted' : 'refused'
}
