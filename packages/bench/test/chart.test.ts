import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chart } from '../chart.mjs'

test('docs/images/bench.svg shows what the table of docs/bench.md says', () => {
  const drawn = readFileSync(new URL('../../../docs/images/bench.svg', import.meta.url), 'utf8')
  expect(drawn).toBe(chart())
})
