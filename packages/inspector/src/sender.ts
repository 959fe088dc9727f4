import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { tamperedWord } from '@webhook-receiver/core/internal'
import {
  type Header,
  headerValue,
  type SignedRequest,
  sendRequest,
  wireHeaders,
} from '@webhook-receiver/emulator/internal'
import { CommandError, type SendCommand } from './command.ts'
import {
  type AboutAttempt,
  type Attempt,
  type Delivery,
  type Journal,
  pack,
  requestOf,
  unpack,
  type WireRequest,
} from './journal.ts'
import type { Service, SigningOrder } from './service.ts'
import { pathOf, type Target } from './targets.ts'
import { type VerificationRules, verdictOf } from './verification.ts'

export interface SenderOptions extends VerificationRules {
  /** How long to wait for a response, in seconds. */
  readonly timeout: number
  readonly now: () => number
}

/** Sends what the page asks for, and records it. */
export interface Sender {
  /**
   * Resolves when the requests are on their way.
   *
   * @throws CommandError if that is impossible.
   */
  send(command: SendCommand): Promise<Delivery>
  /** Whether a request that a server of ours received was sent here, and is shown already. */
  isOwn(request: WireRequest, target: string): boolean
  /** Ends the requests that are under way. */
  stop(): void
}

interface Prepared extends Pick<AboutAttempt, 'change'> {
  readonly request: WireRequest
  /** What it was before the change: its id and event are those of the delivery. */
  readonly signed?: WireRequest | undefined
}

/** How many requests of the page may be under way. */
const MAX_UNDER_WAY = 500

const DEFAULT_HEADERS: readonly Header[] = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'webhook-receiver-inspector'],
]

export function createSender(
  journal: Journal,
  targets: ReadonlyMap<string, Target>,
  service: Service,
  options: SenderOptions,
): Sender {
  const end = new AbortController()
  // Every request adds a listener: more than 10 are not a leak.
  setMaxListeners(0, end.signal)
  let underWay = 0
  /** What a server of ours will receive; bounded, since other servers report nothing. */
  const own: string[] = []

  async function prepare(
    { body: given, event, sign, tamper }: SendCommand,
    source: { readonly attempt: Attempt } | undefined,
    target: Target,
  ): Promise<Prepared> {
    const original = source && requestOf(source.attempt)
    const body = given ? bytesOf(given) : original?.body
    if (body === undefined) throw new CommandError('There is no body to send.')
    const headers = original?.headers ?? service.named(DEFAULT_HEADERS, body)
    const wire = ({ headers, body }: SignedRequest) => ({
      ...{ method: 'POST', target: pathOf(target), httpVersion: '1.1' },
      ...{ headers: wireHeaders(headers, target.url, body), body },
    })
    const request: SignedRequest = { headers, body }
    if (!sign && !tamper) {
      const edited = original && Buffer.compare(body, original.body) !== 0
      return { request: wire(request), ...(edited && { change: 'edited', signed: original }) }
    }
    const { signing: secret } = target
    if (secret === undefined) throw new CommandError('There is no secret to sign with for it.')
    const order = { secret, now: options.now(), target: pathOf(target), event }
    const signed = wire(await signing(request, order))
    if (!tamper) return { request: signed }
    return { request: wire(await signing(request, { ...order, tamper })), change: tamper, signed }
  }

  /** @throws CommandError for what only the service itself can sign. */
  async function signing(request: SignedRequest, order: SigningOrder): Promise<SignedRequest> {
    try {
      return await service.sign(request, order)
    } catch (error) {
      if (isWebhookError(error)) throw new CommandError(error.detail)
      throw error instanceof TypeError ? new CommandError(error.message) : error
    }
  }

  async function run(
    delivery: Delivery,
    request: WireRequest,
    about: AboutAttempt,
    { url, secrets }: Target,
  ): Promise<void> {
    const at = options.now()
    const attempt = journal.addAttempt(delivery, request, at, about)
    attempt.verdict = await verdictOf(request, secrets, at, options)
    const { timeout } = options
    own.push(keyOf(request, delivery.target, service.headers))
    if (own.length > MAX_UNDER_WAY) own.shift()
    attempt.response = pack(await sendRequest({ ...request, url }, { timeout, signal: end.signal }))
    underWay -= 1
    journal.changed(delivery)
  }

  return {
    async send(command) {
      const { from, copies } = command
      const source = from && findAttempt(journal, from.n, from.attempt)
      const target = targets.get(command.target ?? source?.delivery.target ?? '')
      if (target === undefined) throw new CommandError('Choose a receiver to send to.')
      if (underWay + copies > MAX_UNDER_WAY) {
        throw new CommandError('Too many requests are under way: wait for their responses.', 503)
      }
      const { request, change, signed = request } = await prepare(command, source, target)
      const { id = '', event = '' } = service.facts(signed)
      const delivery = journal.add({
        origin: 'page',
        at: options.now(),
        event,
        id,
        target: target.id,
        note: noteOf(command, signed.body),
      })
      underWay += copies
      const all = Array.from({ length: copies }, (_, index) =>
        run(
          delivery,
          request,
          { change, note: copies > 1 ? `copy ${index + 1}` : undefined },
          target,
        ),
      )
      Promise.all(all).then(() => {
        delivery.outcome = outcomeOf(delivery.attempts)
        journal.changed(delivery)
      })
      return delivery
    },
    isOwn(request, target) {
      const at = own.length === 0 ? -1 : own.indexOf(keyOf(request, target, service.headers))
      if (at >= 0) own.splice(at, 1)
      return at >= 0
    },
    stop: () => end.abort(),
  }
}

/** Recognises a request when it arrives: it has the same key as when it was sent. */
function keyOf({ headers, body }: WireRequest, target: string, names: readonly string[]): string {
  const values = names.map((name) => headerValue(headers, name))
  const digest = createHash('sha256').update(body).digest('hex')
  return JSON.stringify([target, digest, ...values])
}

/** @throws CommandError if it is no longer there. */
export function findAttempt(
  journal: Journal,
  n: number,
  number?: number,
): { readonly delivery: Delivery; readonly attempt: Attempt } {
  const delivery = journal.get(n)
  const attempt = delivery?.attempts.at(number === undefined ? -1 : number - 1)
  if (delivery && attempt) return { delivery, attempt }
  throw new CommandError('This delivery was dropped to save memory.', 410)
}

function bytesOf(body: NonNullable<SendCommand['body']>): Uint8Array {
  return 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')
}

function noteOf({ from, tamper, copies, body }: SendCommand, signed: Uint8Array) {
  if (tamper === 'body') return tamperedWord(signed).note
  if (copies > 1) return `${copies} at once`
  return from && body ? 'edited' : undefined
}

function outcomeOf(attempts: readonly Attempt[]): Delivery['outcome'] {
  const statuses = attempts.map(({ response }) => (response && unpack(response).status) ?? 0)
  if (statuses.some((status) => status >= 200 && status < 300)) return 'delivered'
  return statuses.every((status) => status === 0) ? 'exhausted' : 'rejected'
}
