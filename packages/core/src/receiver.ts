import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isPromiseLike } from './async/timeout.ts'
import type { Delivery } from './contract/delivery.ts'
import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import { remoteOf } from './hooks.ts'
import { createNotifier, type RequestState } from './observe/notifier.ts'
import { DEFAULT_ENDPOINT } from './option-rules.ts'
import type { ReceiverOptions } from './options.ts'
import { applySchema, type DeliverySchemas, type NoSchemas } from './parse/schema.ts'
import { type SignedUrl, shownUrl, unsignedWith, urlReader } from './public-url.ts'
import { noteAccepted } from './quarantine.ts'
import { rejection } from './reject/rejection.ts'
import {
  addDetail,
  allowMethods,
  isWebhookError,
  type WebhookError,
  withoutBody,
} from './reject/webhook-error.ts'
import { checkMethods, endpointChecks } from './request/endpoint-checks.ts'
import type { Incoming } from './request/incoming.ts'
import { OpenReading, UNCOUNTED } from './request/reading.ts'
import { receiveRequest } from './request/web-request.ts'
import { type ResolvedOptions, resolveOptions } from './settings.ts'
import { isError } from './validate/error.ts'
import { isPlainObject } from './validate/record.ts'
import type { Received, Verification } from './verification.ts'
import { acceptedByAny } from './verify/accepted-lately.ts'
import { checkAge } from './verify/age.ts'
import { checkBodyHeaders } from './verify/body-headers.ts'
import { decidedBy } from './verify/duplicates.ts'
import { fingerprintOf } from './verify/fingerprint.ts'
import { WebhookHandshake } from './verify/handshake.ts'
import { keyReader, readsLately } from './verify/key.ts'
import { type LateKey, withLateKey } from './verify/late-key.ts'
import { shownBy } from './verify/other-service.ts'
import type {
  Handshake,
  HeaderLookup,
  ParsedDelivery,
  RequestHead,
  SchemeKind,
  SignedHead,
} from './verify/scheme.ts'
import { createKeyRing, type SecretKey, type SecretSource } from './verify/secret.ts'
import { findKey } from './verify/signature.ts'
import { tenantOfSubscription } from './verify/subscriptions.ts'

export interface Receiver<Attached = Delivery, Context = Request> {
  /**
   * Verifies and parses one delivery.
   * @throws WebhookError, and WebhookHandshake if the service checks the endpoint; nothing else, whatever was sent.
   */
  receive(incoming: Incoming<Context>): Promise<Received<Attached>>
  /**
   * Verifies and parses one delivery from a web-standard Request, reading at most `limit` bytes of it.
   * `context` is passed to a secret function. By default it is the Request.
   *
   * Await it before you respond. Without `await`, the sender of a forged request also gets 2xx, and the unhandled
   * rejection ends the Node process.
   * @throws WebhookError, and WebhookHandshake if the service checks the endpoint; nothing else, whatever was sent: respond with
   * its `getResponse()`.
   */
  receiveRequest(
    request: Request,
    ...context: Request extends Context ? [context?: Context] : [context: Context]
  ): Promise<Received<Attached>>
  /** The `limit` option, in bytes. */
  readonly limit: number
  /** The methods that a route for this receiver has to take: POST, and those by which the service checks the endpoint. */
  readonly methods: readonly ('POST' | 'GET' | 'HEAD' | 'OPTIONS')[]
}

/** A receiver as adapters get it. What reads a web-standard Request is a function, so that a bundle for others does not hold it. */
export type AdapterReceiver<Attached, Context> = Omit<Receiver<Attached, Context>, 'receiveRequest'>

/**
 * Creates a receiver for deliveries that are signed as in the contract (section 5), or by another `scheme`.
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
  Kind extends SchemeKind = ContractKind,
>(
  secret: SecretSource<Context>,
  options: ReceiverOptions<Schemas, ExtraEvent, Kind, NoInfer<Context>> = {},
): Receiver<DeliveryFor<Kind, Schemas, ExtraEvent>, Context> {
  const receiver = receiverWith<Context, DeliveryFor<Kind, Schemas, ExtraEvent>>(
    secret,
    resolveOptions(options),
  )
  return {
    ...receiver,
    receiveRequest(request, ...[context]) {
      // Request is the default of Context, and the type of the parameter asks for any other.
      return receiveRequest(receiver, request, (context ?? request) as Context)
    },
  }
}

/**
 * Creates a receiver from settings, whose types the caller knows.
 *
 * @throws TypeError for an invalid secret.
 */
export function receiverWith<Context, Attached>(
  secret: SecretSource<Context>,
  settings: ResolvedOptions,
): AdapterReceiver<Attached, Context> {
  const { scheme, callbackTimeout, endpoint = DEFAULT_ENDPOINT } = settings
  assertNoOptions(secret)
  const keysFor = createKeyRing(secret, {
    scheme,
    timeout: callbackTimeout,
    endpoint: settings.endpoint,
  })
  const notifier = createNotifier(settings)
  const { tolerance, limit, schemas, events, schemaMismatch, now, quarantine } = settings
  const { publicUrl, tenantOf } = settings
  const check = endpointChecks(settings)
  const methods = ['POST', ...checkMethods(settings)] as const
  const { largest = 0 } = scheme
  const unsigned = decidedBy(settings.duplicates, scheme, unsignedWith(publicUrl, scheme))
  const keyOf = keyReader(settings.duplicates, scheme)
  const remembers = readsLately(settings.duplicates, scheme)
  const readUrl = scheme.signsUrl && publicUrl !== undefined ? urlReader(publicUrl, scheme) : noUrl

  async function receive(incoming: Incoming<Context>): Promise<Received<Attached>> {
    const state: RequestState = {
      keys: [],
      since: performance.now(),
      url: undefined,
      verified: undefined,
    }
    const reading = new OpenReading(settings)
    let rawBody: Uint8Array | undefined
    try {
      const checking = check?.(incoming, requestedUrl)
      const checked = checking && (await checking)
      if (checked) throw handshakeOf(checked, incoming, state)
      const signed = readUrl(incoming)
      state.url = signed?.url
      const head = scheme.readHead(
        scheme.readsIncoming ? incoming : described(incoming, signed, remembers),
      )
      checkBodyHeaders(incoming, limit)
      // Only what is a promise is waited for: each wait costs as much as the checks between two of them.
      const subscription = scheme.subscriptionOf?.(head)
      const keys = keysFor(incoming.context, subscription)
      state.keys = Array.isArray(keys) ? keys : await keys
      const read = incoming.readBody(reading)
      const body = read instanceof Uint8Array ? read : await read
      rawBody = 'take' in body ? body.take() : body
      const { length } = rawBody
      // Also what came whole, or was read by somebody else.
      if (length > UNCOUNTED) reading.hold(length)
      // Bytes that someone else kept were read under that one's limit.
      if (length > limit) throw rejection('body_too_large', { received: length, limit })
      const match = signed?.otherQuery ? undefined : findKey(scheme, state.keys, head, rawBody)
      const key = isPromiseLike(match) ? await match : match
      if (!key) throw await mismatchOf(incoming, state, head, rawBody, signed)
      reading.close()
      state.verified = 'signature'
      if (tolerance !== Number.POSITIVE_INFINITY && scheme.readTime) {
        checkAge(scheme.readTime(head, rawBody), now(), tolerance)
      }
      scheme.checkTime?.(head, now())
      state.verified = 'time'
      const handshake = scheme.handshake && (await scheme.handshake(head, rawBody, key.key))
      if (handshake) throw handshakeOf(handshake, incoming, state)
      if (key.pending) throw key.pending
      const parsed = scheme.readBody(rawBody, events, head)
      const { event } = parsed
      const schema = event !== undefined && Object.hasOwn(schemas, event) && schemas[event]
      if (schema) await replaceContent(schema, parsed, event)
      const keyOrPromise = keyOf(parsed, head, rawBody)
      const deliveryKey = isPromiseLike(keyOrPromise) ? await keyOrPromise : keyOrPromise
      const tenant = tenantOf?.(incoming.context)
      const named =
        subscription === undefined ? tenant : await tenantOfSubscription(subscription, tenant)
      key.accepted.note(state.since)
      if (quarantine) noteAccepted(quarantine, incoming)
      const verification = verificationOf(incoming, head, rawBody, key, deliveryKey, named)
      const reported = notifier.accepted(parsed, verification, incoming, key, state)
      if (reported) await reported
      // The one place where what was checked at runtime gets its type.
      return { delivery: parsed as object as Attached, verification }
    } catch (error) {
      if (largest > limit && isWebhookError(error) && error.reason === 'body_too_large') {
        addDetail(error, `${scheme.name} sends up to ${largest} bytes.`)
      }
      if (scheme.emptyRejections && isWebhookError(error)) withoutBody(error)
      if (isWebhookError(error) && error.status === 405) allowMethods(error, methods)
      await notifier.rejected(error, incoming, state, rawBody)
      if (isWebhookError(error) || error instanceof WebhookHandshake || isPlain(error)) throw error
      throw new Error('A function of the receiver failed.', { cause: error })
    } finally {
      reading.close()
    }
  }

  // What few requests need is in separate functions, because an async function keeps all its variables while it waits.

  /** What to throw where none of the secrets made the signature. */
  async function mismatchOf(
    incoming: Incoming<Context>,
    { keys, since }: RequestState,
    head: SignedHead,
    rawBody: Uint8Array,
    signed: SignedUrl | undefined,
  ): Promise<WebhookError> {
    const known = keys[0]?.pending ?? scheme.mismatch?.(head)
    if (known) return known
    const secrets = await Promise.all(keys.map(fingerprintOf))
    const { title, requests, secret: { called, several } = {} } = scheme
    return rejection('signature_mismatch', {
      length: rawBody.length,
      secrets,
      lately: acceptedByAny(keys, since),
      url: signed && shownUrl(signed.url),
      otherQuery: signed?.otherQuery,
      title,
      called,
      several,
      shows: shownBy({ header: (name) => incoming.header(name) }, requests, rawBody),
    })
  }

  /** Puts what a schema makes of the content in its place. */
  async function replaceContent(
    schema: StandardSchemaV1,
    parsed: ParsedDelivery,
    event: string,
  ): Promise<void> {
    const { contentAt } = scheme
    const holder = contentAt === 'data.data' ? Object(parsed.data) : parsed
    const content = { event, content: holder.data, at: contentAt }
    holder.data = await applySchema(schema, content, schemaMismatch, callbackTimeout)
  }

  function verificationOf(
    incoming: Incoming<Context>,
    { timestamp = '' }: SignedHead,
    rawBody: Uint8Array,
    { name: secretName }: SecretKey,
    key: LateKey,
    tenant: string | undefined,
  ): Verification {
    const ofTenant = tenant === undefined ? endpoint : `${endpoint}:${tenant}`
    const webhookId = (scheme.idHeader && incoming.header(scheme.idHeader)) || undefined
    const others = { rawBody, timestamp, endpoint: ofTenant, unsigned, secretName, webhookId }
    if (typeof key !== 'string') return withLateKey(others, key)
    return { rawBody, timestamp, endpoint: ofTenant, key, unsigned, secretName, webhookId }
  }

  function handshakeOf(
    handshake: Handshake,
    incoming: Incoming<Context>,
    state: RequestState,
  ): WebhookHandshake {
    const thrown = new WebhookHandshake(handshake)
    notifier.handshake(handshake.name, incoming, state)
    return thrown
  }

  return {
    limit,
    methods,
    receive,
  }
}

/** A request as a scheme reads it: `header` is a function that needs no object. */
function described(
  incoming: Incoming<unknown>,
  signed: SignedUrl | undefined,
  remembers: boolean,
): RequestHead {
  const header: HeaderLookup = (name) => incoming.header(name)
  return {
    method: incoming.method,
    header: remembers ? remembered(header) : header,
    url: signed?.url,
    isRegistered: signed?.isRegistered,
  }
}

/** What was verified stays, also if the application changes the headers before the key is read. */
function remembered(header: HeaderLookup): HeaderLookup {
  const values = new Map<string, ReturnType<HeaderLookup>>()
  return (name) => {
    const known = values.get(name)
    if (known !== undefined || values.has(name)) return known
    const value = header(name)
    values.set(name, value)
    return value
  }
}

function noUrl(): undefined {}

/** What frameworks read of an error for the response: Koa 2 makes 404 of ENOENT. */
const OF_RESPONSES = ['status', 'statusCode', 'getResponse', 'headers', 'expose', 'code']

/** Whether a framework cannot take what was thrown for no error, as it does `undefined`, or for a response. */
function isPlain(thrown: unknown): boolean {
  return isError(thrown) && !OF_RESPONSES.some((name) => name in thrown)
}

/** The options that are texts. A secret among several may well have the name of another, such as `now`. */
const TEXT_OPTIONS = ['scheme', 'endpoint', 'publicUrl', 'verifyToken', 'schemaMismatch']

/** @throws TypeError for options in place of the secret: anybody could sign with the name of a scheme. */
function assertNoOptions(secret: unknown): void {
  const option = isPlainObject(secret) && TEXT_OPTIONS.find((name) => Object.hasOwn(secret, name))
  if (!option) return
  throw new TypeError(
    `\`${option}\` is an option, and no secret: pass options in their own object.`,
  )
}

function requestedUrl(incoming: Incoming<unknown>): string | undefined {
  return remoteOf(incoming).url
}
