import type { ContractKind } from '../contract/event.ts'
import type { DeliveryFor } from '../delivery.ts'
import type { RejectedHook } from '../hooks.ts'
import type { NoSchemas } from '../parse/schema.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import type { StoreCallHook } from '../store/store-call.ts'
import type { Duplicates } from '../verify/duplicates.ts'
import type { Scheme, SchemeKind } from '../verify/scheme.ts'
import type { HandlingHook } from './steps.ts'

/** The options that say how deliveries are handled. Each is checked once, when the handler is created. */
export interface HandlingOptions<
  ExtraEvent extends string = never,
  Transaction = undefined,
  Kind extends SchemeKind = ContractKind,
> {
  /**
   * How the service signs: the same as in the receiver.
   * @default the contract
   */
  readonly scheme?: Scheme<unknown, Kind> | undefined
  /**
   * Which deliveries are the same for the store: the same as in the receiver. It is required with a store where the signature does
   * not cover the id.
   * @default 'id', where the signature covers it
   */
  readonly duplicates?: Duplicates<Kind, DeliveryFor<Kind, NoSchemas, ExtraEvent>> | undefined
  /**
   * Remembers which deliveries were handled. Anything without the four methods of a `DeliveryStore`, or the one of a
   * `TransactionalDeliveryStore`, is a TypeError.
   * @default none: a duplicate is handled again
   * @example { store: memoryStore() }
   */
  readonly store?: DeliveryStore | TransactionalDeliveryStore<Transaction> | undefined
  /**
   * Separates handlers that share a store: a delivery is handled once for each endpoint. What comes with its `verification.endpoint`
   * has that one. Anything but 1 to 64 letters, digits, dots, hyphens and underscores is a TypeError.
   * @default 'default'; with a `scheme` its name
   */
  readonly endpoint?: string | undefined
  /**
   * How long a claim is valid if its process dies, in seconds. While the handler runs, it is extended after each third of
   * this time. Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 30
   */
  readonly lease?: number | undefined
  /**
   * How long the handler may run before the status is 503, in seconds. The handler continues and keeps its claim. Choose less
   * than the service waits. Without a store, there is no limit, because the next copy would run at the same time. Anything but a number above 0 and up to 86,400, or `Infinity`, is a TypeError.
   * @default 25, or four fifths of what the service waits if that is less; without a store `Infinity`, unless the service acts on the response
   */
  readonly timeout?: number | undefined
  /**
   * How long the handler may run at all, in seconds. After that `signal` is aborted, the claim is no longer extended, a
   * transaction ends with its connection, and the next copy is handled. Anything but a number above 0 and up to 86,400, or
   * `Infinity`, is a TypeError, and so is less than a finite `timeout`.
   * @default 900, or `timeout` if that is longer; in `createDeliveryHandler` `Infinity`, because a job of a queue may take hours
   * @example { store: memoryStore(), timeout: 8, abandonAfter: 600 }
   */
  readonly abandonAfter?: number | undefined
  /**
   * How long to wait for the store, in seconds. After that the status is 503. Anything but a number above 0 and up to
   * 86,400 is a TypeError.
   * @default 2
   */
  readonly storeTimeout?: number | undefined
  /**
   * Names of your own events, besides the seven known ones: the same as in the receiver.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * Called for each delivery that gets status 503 here. The default writes one line per cause and minute to standard
   * error (ten a second if NODE_ENV is development), and none for `delivery_in_progress`. `false` writes nothing.
   */
  readonly onRejected?: RejectedHook | false | undefined
  /**
   * Called for each step of a delivery: claimed, duplicate, completed, failed, ignored. If it throws an error, the response does not change.
   * Anything but a function is a TypeError.
   * @example { onHandling: ({ step, event, duration }) => console.log(step, event, duration) }
   */
  readonly onHandling?: HandlingHook | undefined
  /**
   * Called for each verified delivery whose event has no handler. `false` writes nothing. If the hook throws an error, the response does not
   * change. Anything else is a TypeError.
   * @default one line for each name of an event on standard error, at most 32 in a process
   * @example { onIgnored: ({ event, id }) => console.warn('no handler', event, id) }
   */
  readonly onIgnored?: HandlingHook | false | undefined
  /**
   * Called after each call of the store. If it throws an error, the response does not change. Anything but a function is a
   * TypeError.
   * @example { onStoreCall: ({ operation, result }) => console.log(operation, result) }
   */
  readonly onStoreCall?: StoreCallHook | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}
