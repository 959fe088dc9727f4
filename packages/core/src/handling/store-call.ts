/** A call of the store that is over. A call that is never answered is not reported. */
export interface StoreCall {
  /**
   * The method of a `DeliveryStore`. A transaction is reported in two parts: `begin`, until the handler begins, and
   * `commit` or `rollback`, from the end of the handler.
   */
  readonly operation: 'claim' | 'complete' | 'release' | 'extend' | 'begin' | 'commit' | 'rollback'
  /**
   * Of `claim` and `begin`: `claimed`, `done` or `in_progress`. Of the others: `ok`, or `lost` where another owner has the
   * lease, or it ran out. `failed`: the store rejected, or answered something else.
   */
  readonly result: 'claimed' | 'done' | 'in_progress' | 'ok' | 'lost' | 'failed'
  /** When it was over, in milliseconds since the epoch, by the clock of the handler. */
  readonly at: number
  /** How long it took, in seconds. */
  readonly duration: number
  readonly endpoint: string
  /** What the store rejected with, where it did. */
  readonly error: unknown
}

export type StoreCallHook = (call: StoreCall) => void | Promise<void>
