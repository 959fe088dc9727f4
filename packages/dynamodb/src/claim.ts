import type { Claim } from '@webhook-receiver/core'

/** What the item that stands in the way of a claim says. */
export function claimOf(item: unknown, now: number): Claim {
  const { done, expires_at } = Object(item)
  const isDone: unknown = Object(done).BOOL
  const end = Number(Object(expires_at).N)
  if (typeof isDone !== 'boolean' || !Number.isFinite(end)) {
    throw new Error(
      'DynamoDB has an item without `done` or `expires_at`. Either another program writes to the table, or `update` changes the output of the client. It should resolve to the unchanged output of UpdateItem.',
    )
  }
  if (isDone) return { status: 'done' }
  // Within its last moment a lease is there all the same.
  return { status: 'in_progress', retryAfter: Math.max(end - now, 1) / 1000 }
}
