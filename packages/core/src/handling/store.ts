/** What a store answers to a claim. */
export type Claim =
  /** The key was free, or its lease had run out: it is the caller's for the length of the lease. */
  | { readonly status: 'claimed' }
  /** The delivery was handled to its end before. */
  | { readonly status: 'done' }
  /** Somebody else holds the lease; it runs out, unless extended, in `retryAfter` seconds. */
  | { readonly status: 'in_progress'; readonly retryAfter: number }

/**
 * Keeps which deliveries were handled and which are being handled, so that a duplicate does no harm.
 *
 * A claim is a lease with an owner: its owner is identified by `token`, a string that is new for
 * each claim. Where a process dies, its lease runs out. Every method rejects when the store cannot be
 * reached; none may answer as if it had been.
 */
export interface DeliveryStore {
  /** Claims `key` for `lease` seconds, in one step: if several callers claim at once, only one gets it. */
  claim(key: string, token: string, lease: number): Promise<Claim>
  /**
   * Marks the delivery as handled, for the retention of the store. Returns false, and changes nothing, if the lease
   * of `token` was lost.
   */
  complete(key: string, token: string): Promise<boolean>
  /** Releases the claim, so that the next delivery of `key` is handled. Returns false if the lease was lost. */
  release(key: string, token: string): Promise<boolean>
  /** Extends the lease of `token` to `lease` seconds from now. Returns false if it was lost. */
  extend(key: string, token: string, lease: number): Promise<boolean>
}

/**
 * A store that marks a delivery in the transaction of its effects, so that both happen or neither does:
 * the only way to effects that happen once, also where the process is killed.
 */
export interface TransactionalDeliveryStore<Transaction> {
  /**
   * Runs `work` inside a transaction in which `key` is marked as handled, and commits. Where `work`
   * rejects, the transaction is rolled back and its error is rejected with. Where the delivery was
   * handled before, or is being handled, `work` is not run.
   */
  transact(key: string, work: (transaction: Transaction) => Promise<void>): Promise<Claim>
}
