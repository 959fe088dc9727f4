import type { Delivery } from '../contract/delivery.ts'
import { processWide } from '../copies/process-wide.ts'
import { quoted } from '../reject/log-line.ts'
import { rejection } from '../reject/rejection.ts'
import { createStderrReport } from '../reject/stderr-report.ts'
import type { Received, Verification } from '../verification.ts'

/**
 * Returns the delivery that a middleware attached, for places where its type may be `undefined`.
 *
 * If there is none, a line on standard error names the route, at most once a minute. Some frameworks do not print every
 * error, and without a receiver there is no `onRejected`.
 *
 * @throws WebhookError `delivery_missing` (500) if no receiver ran before.
 */
export function requireAttached<Attached>(
  delivery: Attached | null | undefined,
  route: Route = {},
): RequiredDelivery<Attached> {
  // The caller's word for what a middleware attached.
  if (delivery !== null && delivery !== undefined) return delivery as RequiredDelivery<Attached>
  const { advice = ADVICE } = route
  const error = rejection('delivery_missing', { where: whereOf(route), advice })
  const { status, reason, detail } = error
  const report = processWide('missing', () => createStderrReport(() => Date.now()))
  report({ status, reason, detail, remote: {} })
  throw error
}

/**
 * Moves what was received to where the application finds it, and the delivery to the `body` of `request`.
 *
 * @throws TypeError for the framework's error handling, if something in front has made one of these read-only.
 */
export function attach(target: object, received: Received<unknown>, request?: object): void {
  const { delivery, verification } = taken(received)
  const holder: { body?: unknown } | undefined = request
  try {
    put(target, delivery, verification)
    if (holder) holder.body = delivery
  } catch (cause) {
    throw new TypeError(
      `The delivery cannot be attached, because something in front of the receiver made a property read-only: ${cause}.`,
      { cause },
    )
  }
}

/** Takes out what was received. The promises of a slow upload have become old with it, and would keep it until old memory is collected. */
export function taken<Attached>(received: Received<Attached>): Received<Attached> {
  const { delivery, verification } = received
  put(received, undefined, undefined)
  return { delivery, verification }
}

/** Property by property: Object.assign takes longer for each request. */
function put(target: object, delivery: unknown, verification: unknown): void {
  const open: { delivery?: unknown; verification?: unknown } = target
  open.delivery = delivery
  open.verification = verification
}

/** A delivery that exists: what was attached, or any delivery where the types do not say. */
export type RequiredDelivery<Attached> = unknown extends Attached ? Delivery : NonNullable<Attached>

/** What a framework knows of a request's route. Anything may stand in for a request in a test. */
export interface Route {
  readonly method?: string | undefined
  /** The path as requested, with or without a query. */
  readonly url?: string | undefined
  /** Why there is no delivery and what to do, in terms of the framework. */
  readonly advice?: string | undefined
}

const ADVICE = 'Mount webhookMiddleware before it, or use webhookHandler.'

function whereOf({ method, url }: Route): string {
  // A query can contain private data.
  const path = typeof url === 'string' ? ` ${quoted(url.replace(/[?#].*/s, ''), 100)}` : ''
  return typeof method === 'string' ? `${method.slice(0, 20)}${path}` : `this request${path}`
}

/**
 * What a request's `delivery` is in frameworks where one declaration serves every route: the type of
 * the body, where that was given a delivery's type; elsewhere there may be none.
 */
export type Attached<Request> = Request extends { body: infer Body }
  ? IsAny<Body> extends true
    ? Delivery | undefined
    : Body extends
          | { readonly known: boolean; readonly event: string }
          | { readonly scheme: string; readonly data: unknown }
      ? Body
      : Delivery | undefined
  : Delivery | undefined

/** What a request's `verification` is: there wherever the types say that a delivery is. */
export type AttachedVerification<Request> =
  undefined extends Attached<Request> ? Verification | undefined : Verification

type IsAny<Type> = 0 extends 1 & Type ? true : false
