/** The result of a claim. */
export type Claim =
  /** The key was free, or its lease had run out. The caller has it for the length of the lease. */
  | { readonly status: 'claimed' }
  /** The delivery was handled before. */
  | { readonly status: 'done' }
  /** Another owner holds the lease. Unless it is extended, it runs out in `retryAfter` seconds. */
  | { readonly status: 'in_progress'; readonly retryAfter: number }

/**
 * Remembers which deliveries were handled and which are being handled, so that a duplicate is not handled again.
 *
 * A claim is a lease with an owner. The owner is identified by `token`, a new string for each claim. If a process
 * dies, its lease runs out. If the store cannot be reached, every method must reject. A store in the memory of the process may
 * return values instead of promises.
 */
export interface DeliveryStore {
  /** Claims `key` for `lease` seconds, in one step: if several callers claim at once, only one gets it. */
  claim(key: string, token: string, lease: number): Claim | Promise<Claim>
  /**
   * Marks the delivery as handled, for the retention of the store. Returns false, and changes nothing, if the lease
   * of `token` was lost.
   */
  complete(key: string, token: string): boolean | Promise<boolean>
  /** Releases the claim, so that the next delivery of `key` is handled. Returns false if the lease was lost. */
  release(key: string, token: string): boolean | Promise<boolean>
  /** Extends the lease of `token` to `lease` seconds from now. Returns false if it was lost. */
  extend(key: string, token: string, lease: number): boolean | Promise<boolean>
  /**
   * Removes the done mark of `key`, so that the next delivery of `key` is handled again. Returns false, and changes nothing, if
   * there is no done mark, also while the delivery is being handled.
   */
  forget(key: string): boolean | Promise<boolean>
}

/**
 * A store that marks a delivery in the same transaction as its effects, so that both happen or neither does. Only such
 * a store can promise effects that happen once, even if the process is killed.
 */
export interface TransactionalDeliveryStore<Transaction> extends Pick<DeliveryStore, 'forget'> {
  /**
   * Marks `key` as handled in a transaction, runs `work` in the same transaction, and commits. If `work` rejects, the
   * transaction is rolled back, and `transact` rejects with the same error, or with that of the roll-back if it fails. If the
   * delivery was handled before or is being handled, `work` does not run.
   *
   * If `work` rejects with a WebhookError `handler_abandoned`, the handler may still be running. Then end the connection too,
   * where that is possible: nothing that the handler sends later may be committed.
   */
  transact(key: string, work: (transaction: Transaction) => Promise<void>): Promise<Claim>
}
