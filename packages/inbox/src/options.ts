import type {
  DeliverySchemas,
  HandlerContext,
  HandlingOptions,
  Scheme,
  SchemeKind,
} from '@webhook-receiver/core'
import type {
  ContractKind,
  DeliveryFor,
  NoSchemas,
  WebhookHandlers,
} from '@webhook-receiver/core/adapter'
import {
  type DeliveryHandlers,
  DUPLICATES,
  DURATION,
  type Duplicates,
  functionRule,
  type GivenDuplicates,
  hidden,
  hookOrFalse,
  isPlainObject,
  numberRule,
  optional,
  RETENTION,
  type Rule,
  rule,
  SCHEME,
  type TableOf,
} from '@webhook-receiver/core/internal'
import type { Resolved } from '@webhook-receiver/core/store'
import { POOL } from '@webhook-receiver/postgres/internal'
import type { InboxConnection } from './database.ts'
import { TABLE, TABLE_NAME } from './schema.ts'

/** Whose delivery it is, where a receiver has several tenants or subscriptions. */
export interface Tenant {
  /** What is behind the colon of `verification.endpoint`: the name of the tenant, or the subscription. */
  readonly tenant: string | undefined
}

/** The second argument of a handler. */
export interface InboxContext<Transaction> extends HandlerContext<Transaction>, Tenant {
  /** Does not change from attempt to attempt: an idempotency key for the services that you call. */
  readonly key: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** When the delivery was stored, by the clock of PostgreSQL. */
  readonly receivedAt: Date
  /** What `trace` returned while the delivery was received, if it returned something. */
  readonly trace?: string
}

/** How the deliveries of one service are handled. */
export interface InboxService<Given, Schemas, Transaction> {
  /**
   * How the service signs, such as `stripe` of `@webhook-receiver/schemes`: the same as in the `webhookHandler`.
   * @default the default format
   */
  readonly scheme?: Given | undefined
  /**
   * One function for every event, or functions by event, as in `webhookHandler`. If one of them throws, nothing that it wrote with
   * `transaction` is committed, and it runs again later.
   */
  readonly handlers: WebhookHandlers<
    SchemasOr<Schemas>,
    never,
    InboxContext<Transaction>,
    KindOr<Given>
  >
  /** The schemas of the `webhookHandler`. Here they only set types, because deliveries are validated before they are stored. */
  readonly schemas?: Schemas | undefined
  /**
   * Which deliveries are the same, unless the `webhookHandler` of `receive` says so. One of the two has to, if the service does not sign its
   * ids. Anything else than the receiver takes is a TypeError.
   * @default 'id', where the signature covers it
   */
  readonly duplicates?:
    | Duplicates<KindOr<Given>, DeliveryFor<KindOr<Given>, SchemasOr<Schemas>>>
    | undefined
  /**
   * Deliveries for which this returns the same text are handled one after another, in the order in which they were received.
   * `undefined`, `null` and '' are no key. If it throws, or returns something else, nothing is stored, and the status is 500.
   * @default none: deliveries have no order
   */
  readonly key?:
    | ((
        delivery: DeliveryFor<KindOr<Given>, SchemasOr<Schemas>>,
        context: Tenant,
      ) => string | number | null | undefined)
    | undefined
  /**
   * How many deliveries of this service one worker handles at once, at most: a slow service then leaves room for the others. Anything but
   * a whole number from 1 to 1000 is a TypeError.
   * @default the `concurrency` of the worker
   */
  readonly concurrency?: number | undefined
}

type KindOr<Given> =
  Given extends Scheme<unknown, infer Kind extends SchemeKind> ? Kind : ContractKind

type SchemasOr<Schemas> = Schemas extends DeliverySchemas ? Schemas : NoSchemas

/** The options of an inbox. They are checked once, when it is created. An invalid one is a TypeError. */
interface InboxSettings {
  /**
   * The name of the table, with its schema if that is not on the search path. Anything but letters, digits and underscores is a
   * TypeError.
   * @default 'webhook_inbox'
   */
  readonly table?: string | undefined
  /**
   * How many attempts a delivery has before it is a dead letter. One in which the process ended is not the last: after five of those it is a
   * dead letter too. Anything but a whole number from 1 is a TypeError.
   * @default 10
   */
  readonly attempts?: number | undefined
  /**
   * Returns how long to wait after a failed attempt, in seconds. `attempt` is 1 after the first. If the function throws, or returns
   * something else, that is printed and the default is used.
   * @default 1, then doubled up to 600
   */
  readonly wait?: ((attempt: number) => number) | undefined
  /**
   * How long a handler may run, in seconds. After that `signal` is aborted, and the handler's connection is closed, which ends its
   * transaction: the attempt has failed. Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 60
   */
  readonly timeout?: number | undefined
  /**
   * How long a handled delivery is kept, in seconds. A copy that arrives later is handled again, so keep it above the receiver's
   * `tolerance` and above the time for which the service retries. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
  /**
   * How long a dead letter is kept, in seconds. A copy that arrives later is handled. Anything but a number above 0 is a TypeError.
   * @default 2_592_000
   */
  readonly deadRetention?: number | undefined
  /**
   * Called after each failed attempt, and without `failed` if the inbox cannot use PostgreSQL. What it throws is
   * printed. Anything but a function is a TypeError.
   * @default prints to standard error, with the stack and `code` of the error and its causes
   */
  readonly onError?: ((error: unknown, failed?: FailedAttempt) => unknown) | undefined
  /**
   * Called for each delivery whose event has no handler, as in `webhookHandler`; the delivery is then done. `false` writes nothing. Anything
   * else is a TypeError.
   * @default one line for each name of an event on standard error, at most 32 in a process
   */
  readonly onIgnored?: HandlingOptions['onIgnored']
  /**
   * Called while a delivery is received. What it returns, such as the `traceparent` of the active span, the handler gets as `trace`, to
   * link its own span to that. What it throws is printed. Anything but a function is a TypeError.
   * @default none
   */
  readonly trace?: (() => string | undefined) | undefined
}

/** What `onError` gets besides the error. */
export interface FailedAttempt {
  /** For `show` and `retry`. */
  readonly id: string
  readonly service: string
  readonly attempt: number
  /** Whether it was the last one. */
  readonly dead: boolean
}

/** The options of an inbox, with how it reaches PostgreSQL and its services. */
export type InboxOptions<Schemes, Schemas, Transaction> = InboxConnection<Transaction> &
  InboxSettings & {
    /** By the name that `receive` gets: 1 to 64 letters, digits, dots, hyphens and underscores. */
    readonly services: {
      readonly [Name in keyof Schemes]: InboxService<
        Schemes[Name],
        Name extends keyof Schemas ? Schemas[Name] : undefined,
        Transaction
      >
    } & { readonly [Name in keyof Schemas]: { readonly schemas?: Schemas[Name] | undefined } }
  }

const SERVICES = rule<Readonly<Record<string, unknown>>>(
  'an object with a name for each service, such as { stripe: { scheme: stripe, handlers } }',
  isPlainObject,
)

/** The options with every default in its place. */
interface InboxValues extends Resolved<Omit<InboxSettings, 'onError' | 'onIgnored' | 'trace'>> {
  readonly pool: object | undefined
  readonly transaction: unknown
  readonly query: unknown
  readonly services: Readonly<Record<string, unknown>>
  readonly onError: InboxSettings['onError']
  readonly onIgnored: InboxSettings['onIgnored']
  readonly trace: InboxSettings['trace']
}

/** The rule and the default of each option. A wrong connection may have a password, so it is not shown. */
export const OPTIONS: TableOf<InboxValues> = {
  pool: [hidden(POOL)],
  transaction: [hidden(optional(functionRule('a function, such as (work) => sql.begin(work)')))],
  query: [
    hidden(
      optional(
        functionRule('a function, such as (client, text, values) => client.query(text, values)'),
      ),
    ),
  ],
  services: [SERVICES],
  table: [TABLE_NAME, TABLE],
  attempts: [numberRule({ from: 1, whole: true }), 10],
  wait: [functionRule<(attempt: number) => number>('a function'), standardWait],
  timeout: [DURATION, 60],
  retention: [RETENTION, 259_200],
  deadRetention: [RETENTION, 2_592_000],
  onError: [optional(functionRule<NonNullable<InboxSettings['onError']>>('a function'))],
  onIgnored: [hookOrFalse<Exclude<InboxSettings['onIgnored'], false | undefined>>()],
  trace: [optional(functionRule<NonNullable<InboxSettings['trace']>>('a function'))],
}

/** How many handlers run at once. */
export const CONCURRENCY: Rule<number> = numberRule({ from: 1, to: 1000, whole: true })

/** The types of one kind of deliveries, in place of all. */
interface ServiceValues {
  readonly scheme: Scheme<unknown, ContractKind> | undefined
  readonly handlers: DeliveryHandlers<NoSchemas, never, HandlerContext<unknown>>
  readonly schemas: NoSchemas | undefined
  readonly duplicates: GivenDuplicates
  readonly key: ((delivery: object, context: Tenant) => unknown) | undefined
  readonly concurrency: number | undefined
}

/** The rule of each option of a service. */
export const SERVICE: TableOf<ServiceValues> = {
  scheme: [rule(SCHEME.expected, optional(SCHEME).is)],
  // Core throws a TypeError for what are none.
  handlers: [rule('handlers', () => true)],
  schemas: [optional(rule<NoSchemas>('a plain object of schemas by event', isPlainObject))],
  duplicates: [DUPLICATES],
  key: [optional(functionRule('a function that returns a string or a number'))],
  concurrency: [optional(CONCURRENCY)],
}

export function standardWait(attempt: number): number {
  return Math.min(2 ** (attempt - 1), 600)
}
