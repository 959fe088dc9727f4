/** A finished call of the store. A call that never ends is not reported. */
export interface StoreCall {
  /**
   * The method of a `DeliveryStore`. A transaction is reported in two parts: `begin`, until the handler begins, and
   * `commit` or `rollback`, from the end of the handler.
   */
  readonly operation: 'claim' | 'complete' | 'release' | 'extend' | 'begin' | 'commit' | 'rollback'
  /**
   * For `claim` and `begin`: `claimed`, `done` or `in_progress`. For the others: `ok`, or `lost` if the lease ran out or
   * another owner has it. For all: `failed` if the store rejected, or returned something invalid.
   */
  readonly result: 'claimed' | 'done' | 'in_progress' | 'ok' | 'lost' | 'failed'
  /** The time when the call ended, in milliseconds since the epoch, by the clock of the handler. */
  readonly at: number
  /** How long it took, in seconds. */
  readonly duration: number
  readonly endpoint: string
  /** The error of the store, if it rejected. */
  readonly error: unknown
}

export type StoreCallHook = (call: StoreCall) => unknown

/** A message of the channel `store`. */
export interface StoreMessage extends Omit<StoreCall, 'error'> {
  /** The name of the error that the store rejected with. */
  readonly errorName: string | undefined
}
