import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { writeJsonText } from '../src/text/json-text.ts'
import { MAX_FORM, SLICE } from '../src/text/slices.ts'
import { produced } from './produced.ts'

test.each([
  ['lists', (inner: unknown) => [inner]],
  ['objects', (inner: unknown) => ({ a: inner })],
])('JSON of 64 %s in each other is written again, and of one more is not', async (_, around) => {
  const found = async (depth: number) => {
    let json = around(1)
    for (let count = 1; count < depth; count++) json = around(json)
    const signedBody = JSON.stringify(json, null, 4)
    const [first] = await diagnose(produced({ body: JSON.stringify(json), signedBody }))
    return first.code
  }
  expect(await found(64)).toBe('body_reserialized')
  expect(await found(65)).toBe('unknown')
})

test.each([
  [MAX_FORM, 256],
  [MAX_FORM + 1, 257],
  [2 * MAX_FORM, 258],
])(
  'a form of %i bytes is written up to the bound, and no token is read above it',
  async (length, read) => {
    const taken: number[] = []
    function* tokens() {
      for (let at = 0; at < length; at += SLICE) {
        taken.push(at)
        yield '1'.repeat(Math.min(SLICE, length - at))
      }
    }
    const form = await writeJsonText(tokens(), undefined, {}, async () => {})
    expect([form?.length, taken.length]).toEqual([length > MAX_FORM ? undefined : length, read])
  },
)
