/** Claims of one process between two sweeps; the first claim is one that sweeps. */
const CLAIMS_PER_SWEEP = 64

/** The most rows that one sweep deletes: more than the claims since the last can have left. */
const SWEEP_SIZE = 256

/**
 * Deletes what is expired on some of the claims, so that nothing else has to. It comes before the
 * claim: where the rows cannot be deleted, nothing is claimed and the operator hears of it.
 */
export function createSweeper(sweep: (most: number) => PromiseLike<unknown>): () => Promise<void> {
  let claims = 0
  return async () => {
    if (claims++ % CLAIMS_PER_SWEEP === 0) await sweep(SWEEP_SIZE)
  }
}
