import crypto, { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

// Not by way of a Buffer, which would be a slice of the pool that the last test looks through.
const secret = new TextEncoder().encode('whsec_of_these_tests')
const body = Buffer.from('{"id":"1"}')
const expected = createHmac('sha256', secret).update('1760000000.').update(body).digest('hex')
const wrong = expected.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
const { hash } = crypto

beforeEach(() => {
  vi.resetModules()
})

afterEach(() => {
  crypto.hash = hash
})

async function loaded() {
  const { mac } = await import('../../src/verify/mac-node.ts')
  return mac
}

test('the MAC of a small body makes no HMAC object, and that of one past 16 KiB does', async () => {
  const mac = await loaded()
  const key = await mac.importKey(secret)
  const made = vi.spyOn(crypto, 'hash')
  expect(mac.verify(key, '1760000000.', body, expected)).toBe(true)
  expect(made).toHaveBeenCalledTimes(2)
  for (const [length, hashes] of [
    [16_384, 2],
    [16_385, 0],
  ] as const) {
    made.mockClear()
    const large = Buffer.alloc(length)
    const digits = createHmac('sha256', secret).update(large).digest('hex')
    expect(mac.verify(key, '', large, digits)).toBe(true)
    expect(made).toHaveBeenCalledTimes(hashes)
  }
})

describe.each([
  ['is missing', undefined],
  [
    'throws',
    () => {
      throw new Error('unsupported')
    },
  ],
  ['gives another digest', () => '\0'.repeat(32)],
  ['gives digits for bytes', (name: string, data: Uint8Array) => hash(name, data, 'hex')],
])('where crypto.hash %s', (_, instead) => {
  test('the MAC is computed by createHmac', async () => {
    Reflect.set(crypto, 'hash', instead)
    const mac = await loaded()
    const key = await mac.importKey(secret)
    expect(mac.verify(key, '1760000000.', body, expected)).toBe(true)
    expect(mac.verify(key, '1760000000.', body, wrong)).toBe(false)
  })

  test('a digest is computed by createHash, of bytes and of the UTF-8 of a text', async () => {
    Reflect.set(crypto, 'hash', instead)
    const mac = await loaded()
    for (const content of [body, 'é']) {
      const digest = createHash('sha256').update(content).digest('hex')
      expect(mac.sha256Hex(content)).toBe(digest)
    }
  })
})

test('nothing of a body is left in the scratch memory', async () => {
  const mac = await loaded()
  const key = await mac.importKey(secret)
  const seen: Uint8Array[] = []
  crypto.hash = (name: string, data: unknown, ...rest: unknown[]) => {
    if (data instanceof Uint8Array) seen.push(data)
    return Reflect.apply(hash, crypto, [name, data, ...rest])
  }
  expect(mac.verify(key, '1760000000.', body, expected)).toBe(true)
  const [inner] = seen
  expect(inner?.length).toBeGreaterThan(64 + body.length)
  expect(inner?.subarray(64).every((byte) => byte === 0)).toBe(true)
})

test('neither the key nor a body is in reach through the memory of another Buffer', async () => {
  const mac = await loaded()
  const key = await mac.importKey(secret)
  mac.verify(key, '1760000000.', body, expected)
  const block = Buffer.alloc(64)
  block.set(secret)
  const blocks = [0x36, 0x5c].map((pad) => block.map((byte) => byte ^ pad))
  const pools = new Set<ArrayBufferLike>([body.buffer])
  for (let times = 0; times < 100; times++) pools.add(Buffer.from('a slice of the pool').buffer)
  for (const pool of pools) {
    for (const bytes of [secret, ...blocks]) expect(Buffer.from(pool).indexOf(bytes)).toBe(-1)
  }
})
