import type { WebhookError } from '../reject/webhook-error.ts'
import type { SchemeResponse } from '../validate/response.ts'
import type { AcceptedReplies, RequestFacts, SecretFacts } from './service-facts.ts'

/** Reads one header by its name in any case; several lines of one name come joined by `, `. */
export type HeaderLookup = (name: string) => string | null | undefined

/** What is known of a request before its body is read. */
export interface RequestHead {
  readonly method: string
  readonly header: HeaderLookup
  /** The public URL as the service wrote it. Read only by a scheme with `signsUrl`. */
  readonly url?: string | undefined
  /** Whether that is the URL that was registered, whatever the request names: then its path needs no protection. */
  readonly isRegistered?: boolean | undefined
}

/** What the headers of an acceptable request say: each scheme has its own properties besides. */
export interface SignedHead {
  /** The timestamp as sent; `undefined` if the scheme has none. */
  readonly timestamp: string | undefined
}

/** A parsed body in the form that handlers get. What the service does not have is absent. */
export interface ParsedDelivery {
  /** The name of the scheme; absent in the contract's form. */
  readonly scheme?: string
  readonly id?: string
  readonly event?: string
  /** What happened, where the event only says to what. */
  readonly action?: string
  /** The parsed body, or what a schema made of it. */
  data?: unknown
  /** Set by the contract only. */
  readonly known?: boolean
}

/** What the types of deliveries depend on. */
export interface SchemeKind {
  readonly name: string
  /** Whether deliveries have an id, or some of them. */
  readonly id: boolean | 'some'
  /** Whether the signature covers the id. */
  readonly idSigned: boolean
  /** Whether the signature covers the body. Default: yes. */
  readonly bodySigned?: boolean
  /** Whether deliveries have the name of an event. */
  readonly event: boolean
  /** Whether deliveries have an action besides. Default: no. */
  readonly action?: boolean
  /** The type of `data` by event. With an index signature, every name is an event. */
  readonly events: object
  /** Set where a delivery is the whole body with the names of the wire; elsewhere the body is its `data`. */
  readonly whole?: true
}

/** One of two types, by what a delivery of this kind is. */
export type WholeOr<Kind extends SchemeKind, Whole, Other> = Kind extends { readonly whole: true }
  ? Whole
  : Other

/** A part of a delivery that its signature may leave out. `'path'` and `'query'`: of the URL, where the service signs that. */
export type SignedPart = 'id' | 'event' | 'timestamp' | 'body' | 'path' | 'query'

/** A request by which the service checks the endpoint. No handler, store or hook for deliveries sees it. */
export interface Handshake {
  /** What the service calls it, such as `url_verification`. */
  readonly name: string
  readonly response: SchemeResponse
}

/** An unsigned request by another method than POST. */
export interface EndpointCheck {
  readonly method: string
  /** Behind the question mark of the URL. */
  readonly query: string
  readonly header: HeaderLookup
}

/** How a scheme responds where its service checks the endpoint by other methods than POST. */
export interface EndpointChecks {
  readonly methods: readonly ('GET' | 'HEAD' | 'OPTIONS')[]
  /** Whether a check by GET carries a token, which is the option `verifyToken`: without that option, none is responded to. */
  readonly needsToken: boolean
  /**
   * The response; `undefined` for a request that checks nothing.
   *
   * @throws WebhookError `check_rejected` (403) for another token, or a text that is not sent back.
   */
  respond(check: EndpointCheck, token: string): Promise<Handshake | undefined>
}

/** The option `expectSecret`: saves a secret that a service sends, and returns whether it was taken. */
export type ExpectSecret = (offer: {
  readonly token: string
  readonly secret: string
}) => boolean | PromiseLike<boolean>

/**
 * How one service signs its deliveries and what they look like. A receiver runs on a scheme, and knows nothing of
 * headers, signatures and bodies itself.
 *
 * The checks are called in the order of this interface. Each throws a WebhookError for a request that fails it, and
 * nothing else.
 */
export interface Scheme<Key = unknown, Kind extends SchemeKind = SchemeKind> {
  /** Only for types: nothing at runtime. */
  readonly kind?: Kind | undefined
  /** Names the scheme in deliveries and logs, and is the default of `endpoint`: 1 to 64 letters, digits, dots, hyphens and underscores. */
  readonly name: string
  /** How the service signs, as data, for tools: a `SchemeValue` of `@webhook-receiver/schemes`. Absent where no value can say it. */
  readonly value?: object | undefined
  /** The default of the `endpoint` option. Default: the name. */
  readonly endpoint?: string | undefined
  /** The headers that verification needs, in lower case: what a capture has to keep besides Content-Type. */
  readonly headers: readonly string[]
  /** The header with an identifier that is not signed, in lower case, if there is one. */
  readonly idHeader: string | undefined
  /** The events there are; `undefined` if any name is an event. */
  readonly events?: readonly string[] | undefined
  /** Whether deliveries have an id: signed unless `unsigned` names it. */
  readonly hasId: boolean
  /** Whether some events have none. The key of such a delivery is then of what was signed. */
  readonly idIsOptional?: boolean | undefined
  readonly hasEvent: boolean
  /** The default of the `tolerance` option, in seconds. `Infinity`: the service has no replay window. */
  readonly tolerance: number
  /** Whether each delivery says itself until when it is valid, which `checkTime` checks. Default: no. */
  readonly expires?: boolean | undefined
  /** What the signature does not cover, computed from what is signed. Default: it covers all. */
  readonly unsigned?: readonly SignedPart[] | undefined
  /** Whether the signature covers the body. Without it, all deliveries are the same by what is signed. Default: yes. */
  readonly bodySigned?: boolean | undefined
  /** Whether the public URL is signed, so that the option `publicUrl` is required. */
  readonly signsUrl?: boolean | undefined
  /** The last parameter of a signed URL that has the SHA-256 of the body, if the service adds one to the registered URL. */
  readonly urlDigest?: string | undefined
  /** The largest body that the service sends, in bytes as sent, if that is known: the default of the `limit` option, up to 32 MiB. */
  readonly largest?: number | undefined
  /** What the service takes for success. Default: 204 without a body. */
  readonly success?: SchemeResponse | undefined
  /** Whether the response is a decision that the service acts on: with a store, a duplicate would get none. */
  readonly decision?: boolean | undefined
  /** Which replies the service accepts: with another one, the status is 500, as for a handler that throws. Default: any. */
  readonly replies?: AcceptedReplies | undefined
  /** How long the service waits for the response, in seconds. The default of `timeout` is below it. */
  readonly patience?: number | undefined
  /** The name of the service for people. Default: `the service`. */
  readonly title?: string | undefined
  readonly secret?: SecretFacts | undefined
  readonly requests?: RequestFacts | undefined
  /** Whether `readHead` calls `header` as a method of the request, which then comes as it is: an object for each would cost time. */
  readonly readsIncoming?: boolean | undefined
  /** Whether `identity` reads no header, because `readHead` keeps what it needs of them: to remember all that is read would cost time. */
  readonly keepsHeaders?: boolean | undefined
  /**
   * Prepares a secret once, so that no request pays for it. `label` names the secret in messages. With `use`, the key is for `sign`: where
   * receivers have a public key, the secret is then a private key in PEM.
   *
   * @throws TypeError for a secret that this scheme cannot use.
   */
  importKey(secret: string, label: string, use?: 'sign'): Key | Promise<Key>
  /** Prepares the bytes of a shared secret as they are, for a diagnosis. Absent if the keys are public. */
  importBytes?(bytes: Uint8Array<ArrayBuffer>): Promise<Key>
  /** Checks the method and the headers of the signature. */
  readHead(request: RequestHead): SignedHead
  /** Whether the signature was made with this key over this body. */
  verify(key: Key, head: SignedHead, body: Uint8Array): boolean | Promise<boolean>
  /**
   * Why no key matched, where that is not the signature: it is valid, and what it says is for another receiver. Called after `verify` was
   * called with every key.
   */
  mismatch?(head: SignedHead): WebhookError | undefined
  /**
   * Checks until when what was signed says itself that it is valid. Times are in milliseconds since the epoch.
   *
   * @throws WebhookError `timestamp_too_old` or `timestamp_in_future`.
   */
  checkTime?(head: SignedHead, now: number): void
  /** The time of the signature in milliseconds since the epoch. Called only if there is a tolerance. Absent if the service signs no time. */
  readTime?(head: SignedHead, body: Uint8Array): number
  /**
   * Parses a verified body: `{ scheme, id, event, data }`, where the contract has its own form. Nobody else holds the result,
   * which may be changed in place. `events` are those that are known, if the scheme lists its events.
   */
  readBody(body: Uint8Array, events: ReadonlySet<string>, head: SignedHead): ParsedDelivery
  /**
   * What was signed, without timestamp and signature: as text with every part apart, and as bytes. It is the same for each copy of a
   * delivery, also for one that was signed again, and other for another delivery.
   *
   * Default: the body. Leave it out only if the service signs its bytes as they are, and nothing else but the time. If it signs some fields,
   * whoever has captured a request can change the rest of its body, and each changed copy would be another delivery. If it signs a header
   * or the URL too, two deliveries with equal bodies would be one.
   *
   * It is called when `verification.key` is first read, maybe after the handler, which may have written into what `readBody` returned: read
   * the body again. A header that was read before has the same value again, unless `keepsHeaders` is set.
   */
  identity?(head: SignedHead, body: Uint8Array): readonly [text: string, bytes: Uint8Array]
  /** The response to a verified request that is not a delivery. Called after the age was checked, with the key that matched. */
  handshake?(
    head: SignedHead,
    body: Uint8Array,
    key: Key,
  ): Handshake | Promise<Handshake> | undefined
  /** The checks of the endpoint by other methods than POST. */
  readonly checks?: EndpointChecks | undefined
  /**
   * Takes the secret that an unsigned POST brings, with which the service signs from then on, by `expectSecret`, for which it waits so many
   * seconds; `undefined` for any other request.
   *
   * @throws WebhookError `signature_malformed` (401), `check_rejected` (403) or `secret_unavailable` (503).
   */
  takeSecret?(
    check: EndpointCheck,
    expectSecret: ExpectSecret,
    seconds: number,
  ): Promise<Handshake> | undefined
  /** Whether the service takes a rejection with a body for a fault of the endpoint. @default false */
  readonly emptyRejections?: boolean | undefined
  /** Whether an object is a delivery that `readBody` has returned. Default: its `scheme` is the name. */
  isDelivery?(value: Readonly<Record<string, unknown>>): boolean
  /**
   * Takes what was stored as JSON for a delivery again. `isMade`: a schema has made its content, which may then be anything. Default:
   * what `isDelivery` accepts, with what every delivery of this scheme has.
   */
  restore?(stored: unknown, events: ReadonlySet<string>, isMade: boolean): ParsedDelivery
  /**
   * The action in the `data` of a delivery, for a delivery that has lost its `action`: `opened` for `issues.opened`. The names of the
   * events have no dot then. Absent if the service has no actions.
   */
  actionOf?(data: unknown): string | undefined
  /** Where the part of a delivery is that the schemas describe. Default: `data`. */
  readonly contentAt?: 'data' | 'data.data' | undefined
  /**
   * The subscription that a request names in a header, where the service signs each with its own secret. The header is not signed: the
   * secret is found by it, so that no other value of it is accepted. Absent if all requests have the same secret.
   */
  subscriptionOf?(head: SignedHead): string
  /** The time that the headers of any request claim, for hooks; `undefined` if there is none, or it is unreadable. Default: none. */
  claimedTime?(header: HeaderLookup): number | undefined
  /** The body of a delivery with this content, with id and event where the service has them. Default: the `data` as JSON. */
  compose?(data: object, delivery: SignableParts): Uint8Array<ArrayBuffer>
  /** The content of a sample for an event. Default: `{}`. */
  sample?(event: string): Readonly<Record<string, unknown>>
  /** The headers with which the service would send this body, for tests and the inspector. Absent if only the service can sign. */
  sign?(
    key: Key,
    body: Uint8Array,
    delivery: SignableParts,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

/** What a service writes into the headers of a delivery, where it does. */
export interface SignableParts {
  readonly id: string
  /** In milliseconds since the epoch. */
  readonly time: number
  readonly event: string
  /** The public URL. */
  readonly url: string
  /** The timestamp as text, where the service has several forms of it. Default: `time` in the usual form. */
  readonly timestamp?: string | undefined
  /** The instance of the service that sends it, if it has any. Default: made up. */
  readonly instance?: string | undefined
}

/** The event and the action in a name such as `issues.opened`, where the scheme has actions. */
export function splitName(name: string): readonly [event: string, action?: string] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]
}

/** Whether an object is a delivery of this scheme. */
export function isDelivery(scheme: Scheme, value: Readonly<Record<string, unknown>>): boolean {
  return scheme.isDelivery ? scheme.isDelivery(value) : value.scheme === scheme.name
}
