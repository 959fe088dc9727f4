import crypto, { createHmac } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { mac as node } from '../../src/verify/mac-node.ts'
import { mac as web } from '../../src/verify/mac-web.ts'

const prefix = '1760000000.'
const secret = new TextEncoder().encode('whsec_one')
const bodies = [
  ['a small body', Buffer.from('{"id":"1"}')],
  ['a body past 32 KiB', Buffer.alloc(40_000, 'x')],
] as const
const bytes = Array.from({ length: 32 }, (_, at) => at)

function digestOf(body: Uint8Array) {
  return createHmac('sha256', secret).update(prefix).update(body).digest()
}

/** The digest with one byte changed. */
function wrongAt(digest: Buffer, at: number) {
  const wrong = Buffer.from(digest)
  wrong[at] = (wrong[at] ?? 0) ^ 1
  return wrong
}

/** Other digests: wrong in one byte, in all of them, and in none. */
function others(digest: Buffer) {
  return [
    ...bytes.map((at) => wrongAt(digest, at)),
    Buffer.from(digest.map((byte) => byte ^ 0xff)),
    digest,
  ]
}

describe('node:crypto', () => {
  /** What timingSafeEqual was given, copied: the backend uses its memory again. */
  function compared() {
    const pairs: (readonly [string, string])[] = []
    const real = crypto.timingSafeEqual
    vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((left, right) => {
      const both = [left, right].map((view) => {
        expect(view.byteLength).toBe(32)
        return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')
      })
      pairs.push([both[0] ?? '', both[1] ?? ''])
      return real(left, right)
    })
    return pairs
  }

  test.each(bodies)(
    'compares the MAC of %s by timingSafeEqual, once and whole, wherever the signature is wrong',
    async (_, body) => {
      const key = await node.importKey(secret)
      const digest = digestOf(body)
      const pairs = compared()
      const early = [
        vi.spyOn(Buffer.prototype, 'equals'),
        vi.spyOn(Buffer.prototype, 'compare'),
        vi.spyOn(Buffer, 'compare'),
      ]
      for (const received of others(digest)) {
        pairs.length = 0
        const verdict = node.verify(key, prefix, body, received.toString('hex'))
        expect(verdict).toBe(received === digest)
        expect(pairs).toEqual([[digest.toString('hex'), received.toString('hex')]])
      }
      for (const spy of early) expect(spy).not.toHaveBeenCalled()
    },
  )

  test('takes the verdict of timingSafeEqual', async () => {
    const [, body] = bodies[0]
    const key = await node.importKey(secret)
    const digest = digestOf(body)
    for (const verdict of [true, false]) {
      vi.spyOn(crypto, 'timingSafeEqual').mockReturnValue(verdict)
      for (const received of others(digest)) {
        expect(node.verify(key, prefix, body, received.toString('hex'))).toBe(verdict)
      }
    }
  })

  test('offers timingSafeEqual itself to what else compares MACs', () => {
    expect(node.equal).toBe(crypto.timingSafeEqual)
  })
})

describe('WebCrypto', () => {
  /** The bytes, and which of them were read, in their order. */
  function watched(value: Uint8Array) {
    const read: number[] = []
    const view = new Proxy(value, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) read.push(Number(name))
        const found: unknown = Reflect.get(target, name)
        return found
      },
    })
    return { view, read }
  }

  test('reads every byte of both sides once, in order, wherever they differ', () => {
    const digest = digestOf(Buffer.from('{}'))
    for (const received of others(digest)) {
      const [left, right] = [watched(Uint8Array.from(digest)), watched(Uint8Array.from(received))]
      expect(web.equal(left.view, right.view)).toBe(received === digest)
      expect([left.read, right.read]).toEqual([bytes, bytes])
    }
  })

  test('compares the whole MAC, once, wherever the signature is wrong', async () => {
    const [, body] = bodies[0]
    const key = await web.importKey(secret)
    const digest = digestOf(body)
    const equal = vi.spyOn(web, 'equal')
    for (const received of others(digest)) {
      equal.mockClear()
      const verdict = await web.verify(key, prefix, body, received.toString('hex'))
      expect(verdict).toBe(received === digest)
      expect(equal).toHaveBeenCalledExactlyOnceWith(
        Uint8Array.from(digest),
        Uint8Array.from(received),
      )
      expect(equal).toHaveReturnedWith(verdict)
    }
  })
})
