import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIMIT, largestT } from '../timing/welch.mjs'

const COUNT = 40_000

test('finds a class that takes a hundredth longer, however much is interrupted', () => {
  const { t, difference } = largestT(...samples(({ noise, which }) => 1000 + noise + 10 * which))
  expect(t).toBeGreaterThan(LIMIT)
  expect(difference).toBeGreaterThan(1)
})

test('finds one that takes less', () => {
  expect(largestT(...samples(({ noise, which }) => 1000 + noise - 10 * which)).t).toBeLessThan(
    -LIMIT,
  )
})

test('does not tell equal classes apart', () => {
  const { t, seen } = largestT(...samples(({ noise }) => 1000 + noise))
  expect(Math.abs(t)).toBeLessThan(LIMIT)
  expect(seen).toBeLessThan(10)
})

test('holds equal times without any spread for equal', () => {
  expect(largestT(Float64Array.of(5, 5, 5, 5), Uint8Array.of(0, 0, 1, 1)).t).toBe(0)
})

/** Times with noise of 100 ns, one in a hundred of them interrupted for a while. */
function samples(
  time: (sample: { noise: number; which: number }) => number,
): [Float64Array, Uint8Array] {
  const times = new Float64Array(COUNT)
  const classes = new Uint8Array(COUNT)
  let state = 1
  const random = () => {
    // The minimal standard generator of Park and Miller.
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  for (let index = 0; index < COUNT; index++) {
    const which = random() < 0.5 ? 0 : 1
    const interrupted = random() < 0.01 ? 1e6 * random() : 0
    times[index] = time({ noise: 100 * random(), which }) + interrupted
    classes[index] = which
  }
  return [times, classes]
}

test('docs/images/bench.svg shows what the table of docs/bench.md says', () => {
  const docs = (name: string) =>
    readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
  const table = docs('bench.md').matchAll(/^\| `([^`]+)` \| (0\.\d+)/gm)
  const bars = docs('images/bench.svg').matchAll(
    /end">(.+)<\/text>\n.*\n<rect class="ours".* width="([\d.]+)".*\n.*>([\d.]+)<\/text>/g,
  )
  // Those that are too short for a bar are in the table only.
  const shares = Array.from(table, ([, name, share]) => [name, Number(share)] as const)
  expect(Array.from(bars, ([, name, width, share]) => [name, Number(width) / 480, share])).toEqual(
    shares
      .filter(([, share]) => share > 0.1)
      .map(([name, share]) => [name, expect.closeTo(share, 3), share.toFixed(2)]),
  )
})
