import type { ContractKind } from './contract/event.ts'
import type { DeliveryFor } from './delivery.ts'
import type { AcceptedHook, HandshakeHook, RejectedHook, UnprocessableHook } from './hooks.ts'
import type { DeliverySchemas, NoSchemas } from './parse/schema.ts'
import type { PublicUrl } from './public-url.ts'
import type { Quarantine } from './quarantine.ts'
import type { EventOf } from './service-delivery.ts'
import type { Duplicates } from './verify/duplicates.ts'
import type { Diagnose } from './verify/finding.ts'
import type { ExpectSecret, Scheme, SchemeKind } from './verify/scheme.ts'

/** The options of every receiver. Each has a default, and is checked once, when the receiver is created. */
export interface ReceiverOptions<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
  Kind extends SchemeKind = ContractKind,
  Context = unknown,
> {
  /**
   * How the service signs, such as `stripe` of `@webhook-receiver/schemes`. Anything but a scheme is a TypeError.
   * @default the default format
   * @example { scheme: stripe }
   */
  readonly scheme?: Scheme<unknown, Kind> | undefined
  /**
   * The URL that you registered, for services that sign it. Headers such as X-Forwarded-Host are never used. Anything else is a TypeError.
   * - An origin: the path and the query of each request are added.
   * - A whole URL: verified as you wrote it. The path of the request is not compared, and its query must be the same or missing.
   * - A function: returns the whole URL of the request. Pass one if you registered a whole URL and your code reads the query.
   * @default none: a TypeError if the scheme signs the URL
   * @example { scheme: twilio, publicUrl: 'https://example.com' }
   */
  readonly publicUrl?: PublicUrl<Context> | undefined
  /**
   * The token that you entered at the service, such as Meta, for its check of the endpoint by GET. Anything but a non-empty string is a TypeError, and so is a token for a service without such a check.
   * - Without it, a GET gets 405.
   * - Your route must accept GET as well as POST, and HEAD or OPTIONS if the service checks the endpoint with that.
   * @default none
   * @example { scheme: meta, verifyToken: process.env.META_VERIFY_TOKEN }
   */
  readonly verifyToken?: string | undefined
  /**
   * Saves the secret that a service sends in an unsigned request, as Asana does. Anything but a function is a TypeError, and so is a function for a service that sends no secret.
   * - It gets that `secret`, and the `token` in the query of the URL: 16 to 256 letters, digits, dots, hyphens and underscores.
   * - Anybody can send such a request, so look and save in one statement, and return `true` only if you wait for the secret of this token and had none.
   * - If it returns anything else, the status is 403. If it throws an error, the status is 503.
   * @default none: such a request gets 401
   * @example { scheme: asana, expectSecret: ({ token, secret }) => saveSecret(token, secret) }
   */
  readonly expectSecret?: ExpectSecret | undefined
  /**
   * How far the signed timestamp may be from the clock, in both directions, in seconds; `Infinity` turns the check off. Anything but a
   * number from 0 is a TypeError, and so is a finite one for a service that signs no timestamp.
   * @default 300; with a `scheme`, what its service documents
   */
  readonly tolerance?: number | undefined
  /**
   * The largest body that is read, in bytes. A larger one gets 413. Anything but a whole number from 1 is a TypeError.
   * @default 1_048_576; with a `scheme`, the largest body that its service sends, up to 33_554_432, where that is known
   */
  readonly limit?: number | undefined
  /**
   * How long the whole body may take to arrive, in seconds. After that the status is 408. Anything but a number
   * above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 30
   */
  readonly bodyTimeout?: number | undefined
  /**
   * How much memory the bodies that are not verified yet may take in this process, in bytes. If they take more, the upload that began first gets 503,
   * and the log says `body_budget_full`: raise it if your services do send that much at once. Anything but a whole number from the `limit`, or `Infinity`, is a TypeError.
   * - The first 64 KiB of each body don't count.
   * - A receiver counts its own bodies, and those of the other receivers in the process that allow no more than it does.
   * @default 67_108_864, or the `limit` if that is more
   */
  readonly unverifiedBytes?: number | undefined
  /**
   * How long each function that the response waits for may take, in seconds. Anything but a number above 0 and up to 86,400, or `Infinity`, is a TypeError. After that:
   * - A secret function or `expectSecret`: the status is 503.
   * - A schema: the status is 500.
   * - `onUnprocessable`, `onError`, `diagnose` or the quarantine: the receiver responds without waiting for it any longer.
   * @default 10
   */
  readonly callbackTimeout?: number | undefined
  /**
   * Standard Schemas by event, for `data.data`, or with a `scheme` for `data`. A key that is not an event of the default format is a
   * TypeError, and so is one with an action, such as 'issues.opened'.
   * @default {}
   * @example { schemas: { 'message.received': z.object({ text: z.string() }) } }
   */
  readonly schemas?:
    | (Schemas & {
        // No schema is a string, so the compiler's message ends with this one.
        readonly [Key in Exclude<keyof Schemas & string, EventOf<Kind> | ExtraEvent>]: NoEvent<Key>
      })
    | undefined
  /**
   * Names of your own events, besides the seven of the default format or those of a typed scheme.
   * @default []
   * @example { extraEvents: ['message.reacted'] }
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * The status for a verified delivery that does not fit your schema: `'retry'` is 500, after which most services retry;
   * `'reject'` is 422.
   * @default 'retry'
   */
  readonly schemaMismatch?: 'retry' | 'reject' | undefined
  /**
   * Names this endpoint in log lines, in metrics and in a store. A store handles each delivery once for each name, so give two routes
   * of one service different names if they share a store. Anything but 1 to 64 letters, digits, dots, hyphens and underscores is a
   * TypeError. With several tenants, pass a function: it gets the verified request, and returns the name of its tenant.
   * - For the tenant `acme` of `stripe`, `verification.endpoint` is `stripe:acme`, so a store keeps the deliveries of tenants apart.
   * - Log lines and metrics say `stripe`.
   * - If the function throws an error, or returns anything but such a name, the status is 500.
   * @default the name of the `scheme`; without one, `'default'`, for which log lines show the path
   * @example { endpoint: (request) => String(request.params.tenant) }
   */
  readonly endpoint?: string | ((request: Context) => string) | undefined
  /**
   * How a store recognises the copy of a delivery. If you pass a `store` and the service doesn't sign its ids, you have to choose. Anything
   * else is a TypeError, and so is `'id'` for a service without ids, or `'body'` for one that doesn't sign it.
   * - `'id'`: by the id. Where the id isn't signed, a captured request can be sent again under another id, and is handled again.
   * - `'body'`: by all that is signed, which is mostly the body. Of two real deliveries with the same content, your handler gets the first only.
   * - A function: by the string that it returns. Its second argument has the `key` of the delivery without it. If it throws an error or returns no string, the status is 500.
   * @default `'id'`; `'body'` if the service has no ids
   * @example { scheme: github, store: memoryStore(), duplicates: 'body' }
   */
  readonly duplicates?: Duplicates<Kind, DeliveryFor<Kind, NoSchemas, ExtraEvent>> | undefined
  /**
   * Called for each accepted delivery. If it throws an error, the response does not change.
   * @example { onAccepted: ({ event, id, duration }) => console.log(event, id, duration) }
   */
  readonly onAccepted?: AcceptedHook | undefined
  /**
   * Called for each request by which the service checks the endpoint; the receiver responds to it. If it throws an error, the
   * response does not change. Anything but a function is a TypeError.
   * @example { onHandshake: ({ name }) => console.log(name) }
   */
  readonly onHandshake?: HandshakeHook | undefined
  /**
   * Called for each rejected request. The default writes one line per cause and minute to standard error, at most five per
   * reason, and counts the others; if NODE_ENV is development, it writes up to ten a second. `false` writes nothing. If the hook
   * throws an error, the response does not change.
   * @example { onRejected: ({ reason, status, endpoint, detail, remote }) => logger.warn({ reason, status, endpoint, address: remote.address }, detail) }
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for a verified delivery that cannot be passed to your handler, for example because of your schema, so that you can
   * keep it. The response waits for it, up to `callbackTimeout`. If it throws an error, the response does not change.
   * @example { onUnprocessable: ({ rawBody, headers }) => keep(rawBody, headers) }
   */
  readonly onUnprocessable?: UnprocessableHook | undefined
  /**
   * Keeps rejected requests whose rejection may be the receiver's own mistake, such as a wrong secret, so that they
   * can be handled later. Anything without the methods `accepted` and `keep` is a TypeError.
   * @default none: rejected requests are not kept
   * @example { quarantine: folderQuarantine('./quarantine') }
   */
  readonly quarantine?: Quarantine | undefined
  /**
   * Finds out why a signature does not match, for `detail` and `onRejected`: `diagnose` of `@webhook-receiver/diagnose`. The
   * response waits for it. There is at most one diagnosis per second; in between, `detail` has the last finding. Anything but a
   * function is a TypeError.
   * @default none: `detail` does not name the cause
   */
  readonly diagnose?: Diagnose | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

type NoEvent<Key extends string> = `'${Key}' is not an event: name it in extraEvents`
