import { expect } from 'vitest'
import type { RemoteFacts } from '../src/adapter.ts'
import {
  createReceiver,
  type Incoming,
  type Reason,
  type ReceiverOptions,
  type SecretSource,
  WebhookError,
} from '../src/index.ts'
import expected from './expected/deliveries.json' with { type: 'json' }

// The files in expected were computed by Python's `hmac` and `datetime`, those of RFC 4231 and FIPS 180-4 typed from the documents.
/** The instant of the expected values, in milliseconds since the epoch. */
export const NOW: number = expected.now
export const { current, previous, canary } = expected.secrets

export type DeliveryName = keyof typeof expected.deliveries

export interface Signed {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** A delivery that Python's `hmac` signed, not the code under test. */
export function signed(name: DeliveryName): Signed {
  const entry = expected.deliveries[name]
  const { secret, timestamp, signature } = entry
  const body = 'body_hex' in entry ? Buffer.from(entry.body_hex, 'hex') : Buffer.from(entry.body)
  return { secret, timestamp, signature, body: Uint8Array.from(body) }
}

export interface Changes {
  readonly method?: string
  /** By lower-case name; `undefined` removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: Uint8Array
  readonly readBody?: Incoming<unknown>['readBody']
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

/** A receiver with the right clock, and by default the right secret, which reports no rejection. */
export function receiverWith(
  options: ReceiverOptions = {},
  secret: SecretSource<Request> = current.secret,
) {
  return createReceiver(secret, { now: () => NOW, onRejected: false, ...options })
}

/** Schemas with one for an event, of no library: it may return what its types do not allow. */
export function schemasOf(
  validate: (value: unknown) => unknown,
  event = 'message.received',
): NonNullable<ReceiverOptions['schemas']> {
  return { [event]: { '~standard': { version: 1, vendor: 'ours', validate } } } as never
}

/** What a receiver with the right secret and the right clock makes of a delivery. */
export async function received(
  name: DeliveryName,
  changes: Changes = {},
  options: ReceiverOptions = {},
) {
  return receiverWith(options, signed(name).secret).receive(incoming(name, changes))
}

/** The error of a promise or call that has to be rejected; fails if it is not, or by any other error. */
export async function rejectionOf(
  attempt: Promise<unknown> | (() => unknown),
): Promise<WebhookError> {
  let outcome: unknown
  try {
    outcome = await (typeof attempt === 'function' ? attempt() : attempt)
  } catch (error) {
    if (error instanceof WebhookError) return error
    throw new Error('rejected with an error that is not a WebhookError', { cause: error })
  }
  throw new Error(`not rejected, but resolved to ${JSON.stringify(outcome)}`)
}

/** Asserts that an attempt is rejected, and returns its error for more. */
export async function expectRejection(
  attempt: Promise<unknown> | (() => unknown),
  status: number,
  reason: Reason,
): Promise<WebhookError> {
  const error = await rejectionOf(attempt)
  expect({ status: error.status, reason: error.reason }).toEqual({ status, reason })
  return error
}
