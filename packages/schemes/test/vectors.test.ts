import { describe, expect, test } from 'vitest'
import { ALL, VECTORS, vectorsOf, verdict } from './vectors.ts'

test('every vector belongs to a scheme', () => {
  const names = new Set(ALL.map(({ name }) => name))
  expect(VECTORS.filter(({ scheme }) => !names.has(scheme))).toEqual([])
})

describe.each(ALL)('$name', (scheme) => {
  const vectors = vectorsOf(scheme)

  test('has vectors that are valid, and others', () => {
    expect(new Set(vectors.map(({ valid }) => valid))).toEqual(new Set([true, false]))
  })

  test('has vectors of which the service says the same, or it is said why not', () => {
    const differs = ({ judged, valid, why }: (typeof vectors)[number]) =>
      typeof judged === 'boolean' && judged !== valid && !why
    expect(vectors.filter(differs)).toEqual([])
  })

  test.each(vectors)('$name', async (vector) => {
    const found = await verdict(scheme, vector)
    expect(found === 'valid', found).toBe(vector.valid)
  })
})
