import { describe, expect, test } from 'vitest'
import { storeKeyOf } from '../../src/store/key.ts'

const plain = '3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11'

describe('the key of a delivery', () => {
  test('is the endpoint, a colon and the id', async () => {
    expect(await storeKeyOf('default', plain)).toBe(`default:${plain}`)
    expect(await storeKeyOf('default', 'x'.repeat(200))).toBe(`default:${'x'.repeat(200)}`)
  })

  test.each([
    ['an id that is very long', 'x'.repeat(201)],
    ['an id of a megabyte', 'x'.repeat(1_000_000)],
    ['an id with a space', 'a b'],
    ['an id with NUL', 'a\0b'],
    ['an id that is not ASCII', 'é'],
    ['an id that looks hashed', `sha256:${'0'.repeat(64)}`],
  ])('has a hash for %s', async (_what, id) => {
    expect(await storeKeyOf('default', id)).toMatch(/^default:sha256:[0-9a-f]{64}$/)
  })

  test('is the known SHA-256 of the JSON', async () => {
    // printf '"a b"' | sha256sum
    expect(await storeKeyOf('e', 'a b')).toBe(
      'e:sha256:5e229e245c3e525283e65ec4998d643facf67e035ff89557216305bc9b5109f8',
    )
  })

  test('is another for each id', async () => {
    const ids = ['a b', 'a  b', 'é', 'e\u0301', '\ud800', '\udc00', '\ufffd', 'x'.repeat(201)]
    const likely = await Promise.all(ids.map((id) => storeKeyOf('default', id)))
    const again = likely.map((key) => key.slice('default:'.length))
    const keys = await Promise.all([...ids, ...again].map((id) => storeKeyOf('default', id)))
    expect(new Set(keys).size).toBe(ids.length * 2)
  })
})
