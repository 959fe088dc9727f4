import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each([
  ['bench.svg', 480],
  ['bench-upright.svg', 318],
])('docs/images/%s shows what the table of docs/bench.md says', (picture, whole) => {
  const docs = (name: string) =>
    readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
  const table = docs('bench.md').matchAll(/^\| `([^`]+)` \| (0\.\d+)[^|]*\|$/gm)
  const bars = docs(`images/${picture}`).matchAll(
    /">(.+)<\/text>\n.*\n<rect class="ours".* width="([\d.]+)".*\n.*>([\d.]+)<\/text>/g,
  )
  // Those that are too short for a bar are in the table only.
  const shares = Array.from(table, ([, name, share]) => [name, Number(share)] as const)
  expect(
    Array.from(bars, ([, name, width, share]) => [name, Number(width) / whole, share]),
  ).toEqual(
    shares
      .filter(([, share]) => share > 0.1)
      .map(([name, share]) => [name, expect.closeTo(share, 3), share.toFixed(2)]),
  )
})
