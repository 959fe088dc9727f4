import { seededBelow } from '@webhook-receiver/checks/seeded.mjs'

/** A body and how it comes, drawn from a seed. */
export interface BodyPlan {
  readonly seed: number
  /** What a reader may read at most. */
  readonly limit: number
  readonly body: Buffer
  readonly chunks: readonly Buffer[]
  /** The Content-Length; undefined where there is none. */
  readonly declared: number | undefined
  /** Whether setEncoding() is called before the body is read. */
  readonly decoded: boolean
  /** A number below `count`, for what else is drawn. */
  draw(count: number): number
}

export const LIMITS = [1, 2, 10, 1000, 16_384, 70_000] as const

export function drawPlan(seed: number): BodyPlan {
  const draw = seededBelow(seed)
  const limit = oneOf(LIMITS, draw)
  const size = oneOf([0, 1, limit - 1, limit, limit + 1, 2 * limit, draw(limit)], draw)
  // Of a length that no chunk has, so that a part in the wrong place shows.
  const unit = Buffer.from(Array.from({ length: 251 }, () => draw(256)))
  const body = Buffer.alloc(size, unit)
  return {
    seed,
    limit,
    body,
    chunks: split(body, limit, draw),
    declared: oneOf([undefined, size, size, size + 1 + draw(limit), draw(size + 1)], draw),
    decoded: draw(12) === 0,
    draw,
  }
}

export function oneOf<Value>(
  values: readonly [Value, ...Value[]],
  draw: (count: number) => number,
): Value {
  return values[draw(values.length)] ?? values[0]
}

function split(body: Buffer, limit: number, draw: (count: number) => number) {
  const largest = oneOf([1, 1, 7, 4096, limit, body.length + 1], draw)
  const exact = draw(2) === 0
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const size = exact ? largest : 1 + draw(largest)
    chunks.push(body.subarray(at, at + size))
    at += size
  }
  return chunks
}
