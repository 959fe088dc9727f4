import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  createReceiver,
  type DeliverySchemas,
  type Reason,
  type Received,
  type ReceiverOptions,
  type SchemeKind,
  type SecretSource,
  WebhookError,
  WebhookHandshake,
} from '@webhook-receiver/core'
import type { ContractKind, DeliveryFor, NoSchemas } from '@webhook-receiver/core/adapter'
import { claim, release, releaseAbandoned } from './claim.ts'
import { type KeptRequest, NAME, readKept } from './kept-request.ts'
import { isBusy, withPatience } from './patience.ts'

export interface RedriveOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
> extends Pick<
    ReceiverOptions<Schemas, ExtraEvent, Kind>,
    'scheme' | 'schemas' | 'extraEvents' | 'tolerance' | 'duplicates'
  > {
  /**
   * The `endpoint` of the receiver. If that is a function of the request, the same for the kept request, whose `target` has the path
   * and the query.
   * @default the name of the receiver that kept the request. If that has a function, a function is needed here: without it the request is `unreadable`, and stays
   */
  readonly endpoint?: string | ((request: KeptRequest) => string) | undefined
  /** The origin of the URL that the service was given, if its scheme signs the URL. */
  readonly publicUrl?: string | undefined
  /** The right secret, several by name, a function of the kept request, or the secrets of subscriptions. */
  readonly secret: SecretSource<KeptRequest>
  /** How far the receiver's clock was behind at the arrival, in seconds; negative if it was ahead. @default 0 */
  readonly clockOffset?: number | undefined
  /**
   * If it resolves, the file is removed. If it rejects, the file stays. Without it, nothing is handled or removed.
   * If it rejects with an error that has the `status` 429 or 503, it is called again after the `Retry-After` of the error's
   * `headers`: up to 4 times, and after up to 5 minutes each. Without one, or if that does not help, the run ends.
   */
  readonly deliver?:
    | ((
        received: Received<DeliveryFor<Kind, Schemas, ExtraEvent>>,
        request: KeptRequest,
      ) => Promise<unknown>)
    | undefined
  /** Ends a wait for `Retry-After`, and the run with it. */
  readonly signal?: AbortSignal | undefined
}

/** What became of one file, which has this `name` in the folder. */
export interface Redriven {
  readonly name: string
  /**
   * The file is removed if it was `delivered`, or is a `duplicate`: a retry of what was delivered in this run, what `deliver` resolved
   * to `'duplicate'` for, as a delivery handler does, or a request by which the service only checked the endpoint. It stays if it is
   * `deliverable` and there is no `deliver`; if `deliver` `failed`; if it was `postponed`, because nothing can be delivered at
   * the moment: then the run ends, and the next one begins with it; if it was `rejected`, because no secret matches or it was
   * too old when it arrived; and if it is `unreadable`.
   */
  readonly outcome:
    | 'delivered'
    | 'duplicate'
    | 'deliverable'
    | 'failed'
    | 'postponed'
    | 'rejected'
    | 'unreadable'
  readonly request?: KeptRequest
  readonly id?: string
  /** Why it was rejected. */
  readonly reason?: Reason
  /** What `deliver` rejected with, or why the file cannot be read. */
  readonly error?: unknown
}

/**
 * Verifies each kept request with the clock of its arrival. Passes valid ones to `deliver` one after the other, in the order of
 * arrival; later ones overtake one that failed. Of several runs at the same time, only one delivers a file.
 * If the process is killed behind `deliver`, the next run delivers the same request again: use a store.
 *
 * @throws TypeError for an invalid secret or option.
 *
 * @example
 * const handle = createDeliveryHandler(handlers, { store })
 * for await (const { name, outcome } of redrive('./quarantine', {
 *   secret: process.env.WEBHOOK_SECRET,
 *   deliver: ({ delivery, verification }) => handle(delivery, verification),
 * })) console.log(name, outcome)
 */
export async function* redrive<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
>(
  folder: string,
  options: RedriveOptions<Schemas, ExtraEvent, Kind>,
): AsyncGenerator<Redriven, void, undefined> {
  const { secret, clockOffset = 0, deliver, signal, ...given } = options
  let arrival = 0
  const create = (endpoint: typeof options.endpoint) =>
    createReceiver<KeptRequest, Schemas, ExtraEvent, Kind>(secret, {
      ...(given as ReceiverOptions<Schemas, ExtraEvent, Kind, KeptRequest>),
      endpoint,
      // The receiver that kept it has counted the bytes.
      limit: Number.MAX_SAFE_INTEGER,
      now: () => arrival + clockOffset * 1000,
      onRejected: false,
    })
  const receivers = new Map([[given.endpoint, create(given.endpoint)]])
  const receiverOf = ({ endpoint, perTenant }: KeptRequest) => {
    // Deliveries of two tenants can have one id: the second would be taken for a duplicate of the first.
    if (perTenant && typeof given.endpoint !== 'function') throw new TypeError(NO_TENANT)
    const at = given.endpoint ?? endpoint
    const receiver = receivers.get(at) ?? create(at)
    receivers.set(at, receiver)
    return receiver
  }
  const delivered = new Set<string>()

  for (const name of await listKept(folder)) {
    const redriven = await redriveOne(name)
    if (redriven) yield redriven
    if (redriven?.outcome === 'postponed') return
  }

  async function redriveOne(name: string): Promise<Redriven | undefined> {
    const opened = await openKept(folder, name)
      .then((request) => ({ request, receiver: receiverOf(request) }))
      .catch((error: unknown) => ({ error }))
    if ('error' in opened) {
      const { error } = opened
      // It has been redriven or dropped, or has expired.
      return Object(error).code === 'ENOENT' ? undefined : { name, outcome: 'unreadable', error }
    }
    const { request, receiver } = opened
    const { method, body, receivedAt } = request
    const headers = new Headers(request.headers.map(([name, value]) => [name, value]))
    arrival = receivedAt
    const remote = () => ({ url: request.target })
    const incoming = { method, readBody: () => body, context: request, remote }
    const received = await receiver
      .receive({ ...incoming, header: (wanted) => headers.get(wanted) })
      .catch((error: WebhookError | WebhookHandshake) => error)
    if (received instanceof WebhookHandshake) {
      if (deliver) await dropKept(folder, name)
      return { name, outcome: deliver ? 'duplicate' : 'deliverable', request }
    }
    if (received instanceof WebhookError) {
      return { name, outcome: 'rejected', request, reason: received.reason }
    }
    const delivery: object = received.delivery
    const { id }: { readonly id?: string } = delivery
    const found = { request, ...(id !== undefined && { id }) }
    if (!deliver) return { name, outcome: 'deliverable', ...found }
    // A service may send the same delivery to several endpoints.
    const { verification } = received
    const key = JSON.stringify([verification.endpoint, request.target, verification.key])
    if (delivered.has(key)) {
      await dropKept(folder, name)
      return { name, outcome: 'duplicate', ...found }
    }
    const path = join(folder, name)
    const claimed = await claim(path)
    if (claimed === undefined) return undefined
    let outcome: unknown
    try {
      outcome = await withPatience(() => deliver(received, request), signal)
    } catch (error) {
      await release(claimed, path)
      return { name, outcome: isBusy(error) ? 'postponed' : 'failed', ...found, error }
    }
    delivered.add(key)
    await rm(claimed, { force: true })
    return { name, outcome: outcome === 'duplicate' ? 'duplicate' : 'delivered', ...found }
  }
}

const NO_TENANT =
  'The receiver that kept this request names a tenant for each: its `endpoint` is a function. Pass redrive the same `endpoint`, as a function of the kept request.'

/**
 * Returns the names of the kept requests, in the order of arrival, without those that a redrive is delivering. Rejects if the
 * folder cannot be read.
 */
export async function listKept(folder: string): Promise<readonly string[]> {
  const kept = new Map<string, number>()
  for (const pool of await readdir(folder)) {
    if (pool !== 'trusted' && pool !== 'other') continue
    for (const file of await readdir(join(folder, pool))) {
      const path = join(folder, pool, file)
      const found = NAME.test(file) ? path : await releaseAbandoned(path)
      if (found === undefined) continue
      const name = `${pool}/${basename(found)}`
      const { receivedAt = 0 } = (await openKept(folder, name).catch(() => undefined)) ?? {}
      kept.set(name, receivedAt)
    }
  }
  return [...kept].sort(([, one], [, other]) => one - other).map(([name]) => name)
}

/** Reads one kept request. Rejects if the file cannot be read, or is not one. */
export async function openKept(folder: string, name: string): Promise<KeptRequest> {
  return readKept(await readFile(join(folder, name), 'utf8'))
}

/** Removes one kept request. */
export async function dropKept(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true })
}
