import type { HandlerContext } from '../handling/handlers.ts'
import type { Outcome } from '../handling/steps.ts'
import type { DeliveryKey } from '../store/key.ts'

/** Runs the work of a delivery once, as far as the store can promise it. */
export type Runner = (
  delivery: DeliveryKey,
  /** May throw, and return anything: a promise is waited for. */
  work: (context: HandlerContext<unknown>) => unknown,
  /** In seconds. */
  timeout: number,
  /** Called with what the work returned, or resolved to. If it throws, the work has failed. */
  take: (returned: unknown) => void,
  /** Called with what the work, or its store, failed with after the response. */
  late: (error: unknown) => void,
) => Outcome | Promise<Outcome>

/** What every runner needs to know. */
export interface RunSettings {
  /** In seconds. */
  readonly abandonAfter: number
}

/** And on a store. */
export interface StoreRunSettings extends RunSettings {
  /** In seconds. */
  readonly storeTimeout: number
}

/** And under a lease. */
export interface LeaseSettings extends StoreRunSettings {
  /** In seconds. */
  readonly lease: number
}
