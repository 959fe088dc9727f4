import type { Delivery, Received } from './delivery.ts'
import { createNotifier, type RequestState } from './observe/notifier.ts'
import { type ReceiverOptions, resolveOptions } from './options.ts'
import { readEnvelope } from './parse/envelope.ts'
import { parseJson } from './parse/json.ts'
import { applySchema, type DeliverySchemas, type NoSchemas } from './parse/schema.ts'
import { noteAccepted } from './quarantine.ts'
import { Refusal } from './reject/refusal.ts'
import type { Incoming } from './request/incoming.ts'
import { receiveRequest } from './request/web-request.ts'
import { checkHeaders } from './verify/headers.ts'
import { createKeyRing, type SecretSource } from './verify/secret.ts'
import { matchSignature } from './verify/signature.ts'
import { checkTimestamp } from './verify/timestamp.ts'

export interface Receiver<Attached = Delivery, Context = Request> {
  /**
   * Verifies and parses one delivery.
   * @throws WebhookError, and nothing else, whatever was sent.
   */
  receive(incoming: Incoming<Context>): Promise<Received<Attached>>
  /**
   * Verifies and parses one delivery from a web-standard Request, reading at most `limit` bytes of it.
   * `context` is passed to a secret function. By default it is the Request.
   *
   * Await it before you answer. Without `await`, the sender of a forged request also gets 2xx, and the unhandled
   * rejection ends the Node process.
   * @throws WebhookError, and nothing else, whatever was sent: answer with its `getResponse()`.
   */
  receiveRequest(
    request: Request,
    ...context: Request extends Context ? [context?: Context] : [context: Context]
  ): Promise<Received<Attached>>
  /** The `limit` option, in bytes. */
  readonly limit: number
}

/**
 * Creates a receiver for deliveries that are signed as in the contract (section 5).
 *
 * @throws TypeError at once for an invalid secret or option, not at the first request.
 *
 * @example
 * const receiver = createReceiver(process.env.WEBHOOK_SECRET)
 * const { delivery } = await receiver.receiveRequest(request)
 */
export function createReceiver<
  Context = Request,
  const Schemas extends DeliverySchemas = NoSchemas,
  const ExtraEvent extends string = never,
>(
  secret: SecretSource<Context>,
  options: ReceiverOptions<Schemas, ExtraEvent> = {},
): Receiver<Delivery<Schemas, ExtraEvent>, Context> {
  const resolved = resolveOptions(options)
  const { bodyTimeout, callbackTimeout } = resolved
  const keysFor = createKeyRing(secret, callbackTimeout)
  const notifier = createNotifier(resolved)
  const { tolerance, limit, schemas, events, schemaMismatch, now, onAccepted, quarantine } =
    resolved

  async function receive(
    incoming: Incoming<Context>,
  ): Promise<Received<Delivery<Schemas, ExtraEvent>>> {
    const state: RequestState = { keys: [], since: performance.now() }
    try {
      const { signature, timestamp } = checkHeaders(incoming, limit)
      // Only what is a promise is waited for: each wait costs as much as the checks between two of them.
      const keys = keysFor(incoming.context)
      state.keys = keys instanceof Promise ? await keys : keys
      const body = incoming.readBody(limit, bodyTimeout)
      const rawBody = body instanceof Uint8Array ? body : await body
      const { length } = rawBody
      // Bytes that someone else kept were read under that one's limit.
      if (length > limit) throw new Refusal('body_too_large', { received: length, limit })
      state.rawBody = rawBody
      const match = matchSignature(state.keys, signature, `${timestamp}.`, rawBody)
      const key = match instanceof Promise ? await match : match
      state.verified = 'authentic'
      checkTimestamp(timestamp, now(), tolerance)
      state.verified = 'fresh'
      // The parsed body has no other owner, so it is changed in place: a copy would cost time for every delivery.
      const envelope = readEnvelope(parseJson(rawBody))
      const { event, data } = envelope
      const schema = Object.hasOwn(schemas, event) ? schemas[event] : undefined
      if (schema)
        data.data = await applySchema(schema, event, data.data, schemaMismatch, callbackTimeout)
      envelope.known = events.has(event)
      // The one place where what was checked at run time gets its type.
      const delivery = envelope as object as Delivery<Schemas, ExtraEvent>
      if (quarantine) noteAccepted(quarantine, key, data.instance_id, incoming)
      if (onAccepted) await notifier.accepted(delivery, incoming, key, state)
      const webhookId = incoming.header('x-webhook-id') ?? undefined
      return { delivery, verification: { rawBody, timestamp, secretName: key.name, webhookId } }
    } catch (thrown) {
      throw await notifier.rejected(thrown, incoming, state)
    }
  }

  return {
    limit,
    receive,
    receiveRequest(request, ...[context]) {
      // Request is the default of Context, and the type of the parameter asks for any other.
      return receiveRequest(receive, request, (context ?? request) as Context)
    },
  }
}
