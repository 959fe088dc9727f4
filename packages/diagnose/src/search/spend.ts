import { OverBudget, type Pace } from '../text/pace.ts'

/** The most MACs, of any hash, that one diagnosis computes. */
export const MAX_MACS = 4000

/** The most bytes that one diagnosis computes MACs over. */
export const MAX_MAC_BYTES: number = 256 * 1024 * 1024

/** The largest message that a MAC is computed over, in bytes: it is computed in one step. */
export const MAX_MESSAGE: number = 4 * 1024 * 1024

/** The cost of a MAC besides that of its bytes. */
export const MAC_COST = 10_000

/**
 * Makes the function that counts one more MAC over `bytes` bytes; call it before the MAC is computed. `cost` is that of each MAC, and
 * `byteCost` that of each of its bytes. It throws OverBudget where a bound would be exceeded.
 */
export function createSpend(
  pace: Pace,
  cost: number,
  byteCost: number,
): (bytes: number) => Promise<void> {
  let macs = 0
  let total = 0
  return async (bytes) => {
    macs++
    total += bytes
    if (macs > MAX_MACS || total > MAX_MAC_BYTES) throw new OverBudget()
    await pace(cost + byteCost * bytes)
  }
}
