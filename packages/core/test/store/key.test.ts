import { describe, expect, test } from 'vitest'
import { storeKeyOf } from '../../src/store/key.ts'

const keyOf = async (key: string, endpoint = 'default') => storeKeyOf({ endpoint, key })
const plain = '3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11'

describe('the key of a delivery', () => {
  test('is the endpoint, a colon and the id', async () => {
    expect(await keyOf(plain)).toBe(`default:${plain}`)
    expect(await keyOf('x'.repeat(200))).toBe(`default:${'x'.repeat(200)}`)
  })

  test.each([
    ['an id that is very long', 'x'.repeat(201)],
    ['an id with a space', 'a b'],
    ['an id with NUL', 'a\0b'],
    ['an id that looks hashed', `sha256:${'0'.repeat(64)}`],
  ])('has a hash for %s', async (_what, id) => {
    expect(await keyOf(id)).toMatch(/^default:sha256:[0-9a-f]{64}$/)
  })

  test('is the known SHA-256 of the JSON', async () => {
    // printf '"a b"' | sha256sum
    expect(await keyOf('a b', 'e')).toBe(
      'e:sha256:5e229e245c3e525283e65ec4998d643facf67e035ff89557216305bc9b5109f8',
    )
  })

  test('is another for each endpoint, whatever its key looks like', async () => {
    const endpoints = ['stripe', 'acme', 'stripe:acme', 'acme:stripe', 'stripe:stripe']
    const keys = ['1', ...['acme:', '/acme:', 'stripe:', ':'].map((before) => `${before}1`)]
    const long = keys.map((key) => key.padEnd(300, '1'))
    const all = endpoints.flatMap((at) => [...keys, ...long].map((key) => keyOf(key, at)))
    expect(new Set(await Promise.all(all)).size).toBe(all.length)
    expect(await keyOf('evt_1', 'stripe:acme')).toBe('stripe/acme:evt_1')
  })

  test('is another for each id', async () => {
    const ids = ['a b', 'a  b', 'é', 'e\u0301', '\ud800', '\udc00', '\ufffd', 'x'.repeat(201)]
    const likely = await Promise.all(ids.map((id) => keyOf(id)))
    const again = likely.map((key) => key.slice('default:'.length))
    const keys = await Promise.all([...ids, ...again].map((id) => keyOf(id)))
    expect(new Set(keys).size).toBe(ids.length * 2)
  })
})
