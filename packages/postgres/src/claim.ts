import type { Claim } from '@webhook-receiver/core'

/** How often a claim is made that another keeps overtaking. */
const ATTEMPTS = 5

/**
 * Makes a claim, or reads what stands in its way. It is made again where that is gone in the meantime.
 */
export async function claimWith(
  make: () => Promise<boolean>,
  find: () => Promise<readonly unknown[]>,
): Promise<Claim> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await make()) return { status: 'claimed' }
    const claim = claimOf(await find())
    if (claim !== undefined) return claim
  }
  return { status: 'in_progress', retryAfter: 1 }
}

function claimOf([row]: readonly unknown[]): Claim | undefined {
  if (typeof row === 'object' && row !== null && 'status' in row && 'remaining' in row) {
    const { status } = row
    if (status === 'again') return undefined
    if (status === 'done') return { status }
    const seconds = Number(row.remaining)
    if (status === 'in_progress' && Number.isFinite(seconds)) {
      return { status, retryAfter: Math.max(seconds, 0.001) }
    }
  }
  throw new Error(
    'The result of a claim has no row with `status` and `remaining`. `query` should resolve to the result of the client, with each row as an object.',
  )
}
