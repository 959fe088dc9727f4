import { expect, test } from 'vitest'
import { isDeeperThan } from '../../src/parse/json.ts'

const flat = '[],'.repeat(10)

test.each([
  ['no container', '1', 0],
  ['one', '{}', 1],
  ['objects and lists', '{"a":[{"b":[1]}]}', 4],
  ['siblings', `[${flat}[[1]],${flat}{}]`, 3],
  ['brackets in a string', `{"a":"[[[[{{{{",${siblings()}}`, 2],
  ['closing brackets in a string', `[["]]]]",[[1]]],${flat}[]]`, 4],
  ['an escaped quote in a string', `[["\\"[[[[[",{}],${flat}[]]`, 3],
  ['a string that ends with a backslash', `[["\\\\",[[]]],${flat}[]]`, 4],
  ['a string of backslashes and quotes', `[["\\\\\\"[[[\\\\\\\\",[]],${flat}[]]`, 3],
  ['a name with brackets', `[{"]]][\\"":[{}]},${flat}[]]`, 4],
  ['a property that comes again', `{"a":[[[[]]]],"a":1,${siblings()}}`, 5],
])('%s', (_, json, levels) => {
  expect(() => JSON.parse(json)).not.toThrow()
  expect(isDeeperThan(levels, json)).toBe(false)
  if (levels > 0) expect(isDeeperThan(levels - 1, json)).toBe(true)
})

function siblings() {
  return Array.from({ length: 10 }, (_, index) => `"${index}":{}`).join()
}
