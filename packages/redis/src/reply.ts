import type { Claim } from '@webhook-receiver/core'

/** What the claim script returned. */
export function claimOf(reply: unknown): Claim {
  if (reply === 'claimed' || reply === 'done') return { status: reply }
  if (isCount(reply)) {
    // Within its last millisecond a lease has 0 left and is there all the same.
    return { status: 'in_progress', retryAfter: Math.max(reply, 1) / 1000 }
  }
  if (reply === -1) {
    throw new Error(
      'Redis has a key of this store that never expires. The store never writes such a key, so another program uses the same `prefix`. Choose another one.',
    )
  }
  throw unexpected('claim', "'claimed', 'done' or a number of milliseconds", reply)
}

/** What one of the other scripts returned: whether it changed the key. */
export function successOf(reply: unknown, step: string): boolean {
  if (reply === 0 || reply === 1) return reply === 1
  throw unexpected(step, '0 or 1', reply)
}

function unexpected(step: string, wanted: string, reply: unknown): Error {
  return new Error(
    `Redis replied to ${step} with ${shown(reply)} where ${wanted} was expected. \`send\` should resolve to the unchanged reply of the client: numbers as numbers, strings as strings.`,
  )
}

function isCount(reply: unknown): reply is number {
  return Number.isSafeInteger(reply) && Number(reply) >= 0
}

function shown(reply: unknown): string {
  if (typeof reply === 'string') return JSON.stringify(reply.slice(0, 100))
  if (reply instanceof Uint8Array) return 'bytes'
  if (Array.isArray(reply)) return 'an array'
  return typeof reply === 'object' && reply !== null ? 'an object' : String(reply)
}
