import { expect } from 'vitest'
import type { Incoming, Reason, RemoteFacts } from '../src/index.ts'
import { createReceiver, type ReceiverOptions, WebhookError } from '../src/index.ts'
import { explainRefusal } from '../src/reject/explanation.ts'
import { Refusal } from '../src/reject/refusal.ts'
import answers from './known-answers/deliveries.json' with { type: 'json' }

/** The instant of the known answers, in milliseconds since the epoch. */
export const NOW: number = answers.now
export const { current, previous, canary } = answers.secrets

export type DeliveryName = keyof typeof answers.deliveries

export interface Signed {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** A delivery that was signed by an implementation that is not ours. */
export function signed(name: DeliveryName): Signed {
  const entry = answers.deliveries[name]
  const { secret, timestamp, signature } = entry
  const body = 'body_hex' in entry ? Buffer.from(entry.body_hex, 'hex') : Buffer.from(entry.body)
  return { secret, timestamp, signature, body: Uint8Array.from(body) }
}

export interface Changes {
  readonly method?: string
  /** By lower-case name; `undefined` removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: Uint8Array
  readonly readBody?: (limit: number) => Uint8Array | Promise<Uint8Array>
  readonly remote?: () => RemoteFacts
}

/** The request that brings a delivery, as an adapter describes it. */
export function incoming(name: DeliveryName, changes: Changes = {}): Incoming<Request> {
  const { timestamp, signature, body } = signed(name)
  const headers: Readonly<Record<string, string | undefined>> = {
    'content-type': 'application/json',
    'x-webhook-id': 'unsigned-id',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
    ...changes.headers,
  }
  return {
    method: changes.method ?? 'POST',
    header: (field) => headers[field.toLowerCase()],
    readBody: changes.readBody ?? (() => changes.body ?? body),
    context: new Request('http://localhost/webhooks'),
    ...(changes.remote && { remote: changes.remote }),
  }
}

/** What a receiver with the right secret and the right clock makes of a delivery. */
export async function received(
  name: DeliveryName,
  changes: Changes = {},
  options: ReceiverOptions = {},
) {
  const receiver = createReceiver(signed(name).secret, {
    now: () => NOW,
    onRejected: false,
    ...options,
  })
  return receiver.receive(incoming(name, changes))
}

/** The error of a promise or call that has to be refused; fails where it is not, or by any other error. */
export async function refusalOf(
  attempt: Promise<unknown> | (() => unknown),
): Promise<WebhookError> {
  let outcome: unknown
  try {
    outcome = await (typeof attempt === 'function' ? attempt() : attempt)
  } catch (error) {
    if (error instanceof WebhookError) return error
    // What a check throws when it is asked without a receiver around it.
    if (error instanceof Refusal) return new WebhookError(error.reason, explainRefusal(error, []))
    throw new Error('refused by an error that is not a WebhookError', { cause: error })
  }
  throw new Error(`not refused, but answered ${JSON.stringify(outcome)}`)
}

/** Asserts the refusal of an attempt, and gives its error for more. */
export async function expectRefusal(
  attempt: Promise<unknown> | (() => unknown),
  status: number,
  reason: Reason,
): Promise<WebhookError> {
  const error = await refusalOf(attempt)
  expect({ status: error.status, reason: error.reason }).toEqual({ status, reason })
  return error
}
