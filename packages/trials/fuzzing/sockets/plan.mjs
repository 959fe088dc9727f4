import { malformed } from './malformed.mjs'
import { rejected, valid } from './requests.mjs'

/**
 * A random plan of what is sent on one connection.
 *
 * @param {() => number} next
 * @param {import('./deliveries.mjs').DeliveryPool} pool
 */
export function randomPlan(next, pool) {
  const count = next() % 3 === 0 ? next() % 32 : next() % 6
  const parts = Array.from({ length: count }, (_, index) =>
    next() % 9 < 5 ? valid(next, pool.any(), index === 0) : rejected(next, pool.any(), pool),
  )
  const tail = parts.length === 0 || next() % 2 === 0 ? malformed(next, pool) : undefined
  const divided = next() % 4 === 0
  const plan = {
    cuts: divided ? Array.from({ length: 1 + (next() % 6) }, () => next()) : [],
    gap: next() % 3,
  }
  // Node drops the pending responses when something malformed follows, so most plans wait for them. The others send all at
  // once, and then the responses are not known.
  if (!tail || next() % 4 !== 0) return { parts, tail, ...plan }
  const bytes = Buffer.concat([...parts, tail].map((part) => part.bytes))
  const tokens = [...parts.flatMap(({ token }) => token ?? []), ...tail.tokens]
  return { parts: [], tail: { ...tail, bytes, tokens, count: parts.length + 1 }, ...plan }
}

/** The number of requests. */
export function sizeOf({ parts, tail }) {
  return parts.length + (tail ? (tail.count ?? 1) : 0)
}

export function planToJson(plan) {
  return withBytes(plan, (bytes) => bytes.toString('hex'))
}

export function planFromJson(plan) {
  return withBytes(plan, (bytes) => Buffer.from(bytes, 'hex'))
}

function withBytes({ parts, tail, ...plan }, convert) {
  const converted = (part) => ({ ...part, bytes: convert(part.bytes) })
  return { ...plan, parts: parts.map(converted), tail: tail && converted(tail) }
}
