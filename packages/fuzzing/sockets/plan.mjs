import { genuine, refused } from './framed.mjs'
import { malformed } from './malformed.mjs'

/**
 * Draws what is sent on one connection.
 *
 * @param {() => number} next
 * @param {import('./deliveries.mjs').Stock} stock
 */
export function planned(next, stock) {
  const count = next() % 3 === 0 ? next() % 32 : next() % 6
  const parts = Array.from({ length: count }, (_, index) =>
    next() % 9 < 5 ? genuine(next, stock.any(), index === 0) : refused(next, stock.any(), stock),
  )
  const tail = parts.length === 0 || next() % 2 === 0 ? malformed(next, stock) : undefined
  const divided = next() % 4 === 0
  const plan = {
    cuts: divided ? Array.from({ length: 1 + (next() % 6) }, () => next()) : [],
    gap: next() % 3,
  }
  // Node drops the answers that are due when something malformed comes behind them, so those wait for it; now and
  // then they do not, and nobody can say what is answered.
  if (!tail || next() % 4 !== 0) return { parts, tail, ...plan }
  const bytes = Buffer.concat([...parts, tail].map((part) => part.bytes))
  const tokens = [...parts.flatMap(({ token }) => token ?? []), ...tail.tokens]
  return { parts: [], tail: { ...tail, bytes, tokens, count: parts.length + 1 }, ...plan }
}

/** How many requests that is. */
export function sizeOf({ parts, tail }) {
  return parts.length + (tail ? (tail.count ?? 1) : 0)
}

/** A plan as JSON. */
export function written({ parts, tail, cuts, gap }) {
  const hex = (part) => ({ ...part, bytes: part.bytes.toString('hex') })
  return { parts: parts.map(hex), ...(tail && { tail: hex(tail) }), cuts, gap }
}

export function read({ parts, tail, cuts, gap }) {
  const bytes = (part) => ({ ...part, bytes: Buffer.from(part.bytes, 'hex') })
  return { parts: parts.map(bytes), tail: tail && bytes(tail), cuts, gap }
}
