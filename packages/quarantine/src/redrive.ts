import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createReceiver,
  type Delivery,
  type DeliverySchemas,
  type NoSchemas,
  type Reason,
  type Received,
  type ReceiverOptions,
  type SecretSource,
  WebhookError,
} from '@webhook-receiver/core'
import { hasCode } from './error-code.ts'
import type { KeptRequest } from './kept-request.ts'
import { readKept } from './kept-request.ts'
import { lockForRedrive } from './redrive-lock.ts'

export interface RedriveOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> extends Pick<
    ReceiverOptions<Schemas, ExtraEvent>,
    'schemas' | 'extraEvents' | 'tolerance' | 'callbackTimeout'
  > {
  /** The current secret, or a function that returns it for a kept request. */
  readonly secret: SecretSource<KeptRequest>
  /**
   * Handles a genuine delivery. If it resolves, the file is removed. If it rejects, the file stays. Without this function,
   * no delivery is handled and no file is removed.
   */
  readonly deliver?:
    | ((
        received: Received<Delivery<Schemas, ExtraEvent>>,
        request: KeptRequest,
      ) => Promise<unknown>)
    | undefined
}

/** The result for one file. */
export type Redriven = {
  /** The name of the file in the folder. */
  readonly name: string
} & (
  | {
      /**
       * `delivered`: handled, and the file is removed. `duplicate`: a copy with the same target was handled in this run, and the file is
       * removed. `genuine`: there was no `deliver`. `failed`: `deliver` rejected with `error`.
       */
      readonly outcome: 'delivered' | 'duplicate' | 'genuine' | 'failed'
      readonly request: KeptRequest
      readonly id: string
      readonly event: string
      readonly error?: unknown
    }
  | {
      /** The request is not genuine with this secret, or the receiver still rejects it. The file stays. */
      readonly outcome: 'rejected'
      readonly request: KeptRequest
      readonly reason: Reason
      readonly detail: string
    }
  /** The file is no capture, or cannot be read. */
  | { readonly outcome: 'unreadable'; readonly error: unknown }
)

/**
 * Verifies each kept request with the current secret, and compares its timestamp with the time of its arrival. Passes the
 * genuine ones to `deliver` one after the other, in the order of arrival.
 *
 * If the process is killed after `deliver` and before the file is removed, the next run delivers the same request again.
 * With a store on `deliveryHandler`, it is not handled twice.
 *
 * @throws TypeError for an invalid secret or option.
 * @throws RedriveRunningError where there is a `deliver` and another redrive of the folder is running.
 *
 * @example
 * const handle = createDeliveryHandler(handlers, { store })
 * for await (const { name, outcome } of redrive('./quarantine', {
 *   secret: process.env.WEBHOOK_SECRET,
 *   deliver: ({ delivery }) => handle(delivery),
 * })) console.log(name, outcome)
 */
export async function* redrive<
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
>(
  folder: string,
  options: RedriveOptions<Schemas, ExtraEvent>,
): AsyncGenerator<Redriven, void, undefined> {
  const { secret, deliver, ...receiverOptions } = options
  let arrival = 0
  const receiver = createReceiver<KeptRequest, Schemas, ExtraEvent>(secret, {
    ...(receiverOptions as ReceiverOptions<Schemas, ExtraEvent>),
    // The receiver that kept it has counted the bytes.
    limit: Number.MAX_SAFE_INTEGER,
    now: () => arrival,
    onRejected: false,
    diagnose: false,
  })
  const delivered = new Set<string>()
  const release = deliver && (await lockForRedrive(folder))

  try {
    for (const name of await listKept(folder)) {
      const request = await openKept(folder, name).catch((error: unknown) => ({ error }))
      if ('error' in request) {
        // Another redrive has handled it, or a quarantine has dropped it.
        if (!hasCode(request.error, 'ENOENT'))
          yield { name, outcome: 'unreadable', error: request.error }
        continue
      }
      arrival = request.receivedAt
      const received = await receiver
        .receive({
          method: request.method,
          header: (wanted) => headerOf(request, wanted),
          readBody: () => request.body,
          context: request,
        })
        .catch((error: unknown) => {
          if (error instanceof WebhookError) return error
          throw error
        })
      if (received instanceof WebhookError) {
        const { reason, detail } = received
        yield { name, outcome: 'rejected', request, reason, detail }
        continue
      }
      const { id, event } = received.delivery
      const found = { name, request, id, event }
      if (!deliver) {
        yield { ...found, outcome: 'genuine' }
        continue
      }
      // A service may send the same delivery to several endpoints.
      const copyOf = JSON.stringify([request.target, id])
      const isCopy = delivered.has(copyOf)
      try {
        if (!isCopy) await deliver(received, request)
      } catch (error) {
        yield { ...found, outcome: 'failed', error }
        continue
      }
      delivered.add(copyOf)
      await dropKept(folder, name)
      yield { ...found, outcome: isCopy ? 'duplicate' : 'delivered' }
    }
  } finally {
    await release?.()
  }
}

/** Returns the file names of the kept requests, in the order of arrival. Other captures are sorted in the same way. */
export async function listKept(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  return names.filter((name) => /^[^.].*\.json$/s.test(name)).sort()
}

/**
 * Reads one kept request.
 *
 * @throws CaptureError if the file is not a capture; Error if it cannot be read.
 */
export async function openKept(folder: string, name: string): Promise<KeptRequest> {
  return readKept(await readFile(join(folder, name), 'utf8'))
}

/** Removes one kept request. */
export async function dropKept(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true })
}

function headerOf({ headers }: KeptRequest, wanted: string): string | undefined {
  const values = headers.flatMap(([name, value]) =>
    name.toLowerCase() === wanted.toLowerCase() ? [value] : [],
  )
  return values.length === 0 ? undefined : values.join(', ')
}
