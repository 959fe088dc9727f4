import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hexadecimal } from '../../src/verify/hexadecimal.ts'
import type { Mac, MacKey } from '../../src/verify/mac.ts'
import { mac as node } from '../../src/verify/mac-node.ts'
import { mac as web } from '../../src/verify/mac-web.ts'
import rfc4231 from '../expected/rfc4231.json' with { type: 'json' }
import digests from '../expected/sha256.json' with { type: 'json' }

const backends = [
  { backend: 'node:crypto', mac: node },
  { backend: 'WebCrypto', mac: web },
]

describe.each(backends)('HMAC on $backend', ({ mac }) => {
  test.each(rfc4231)(
    'gives the value of RFC 4231 test case $case, wherever it is cut',
    async (known) => {
      const key = await mac.importKey(view(bytes(known.key)))
      const data = Buffer.from(known.data, 'hex')
      for (let cut = 0; cut <= data.length; cut++) {
        const prefix = data.toString('latin1', 0, cut)
        const value = hexadecimal(await mac.sign(key, prefix, data.subarray(cut)))
        // One of them is cut off to 128 bits.
        expect(value.slice(0, known.mac.length), `cut at ${cut}`).toBe(known.mac)
        for (const signature of [value, Buffer.from(value, 'hex')])
          expect(
            await mac.verify(key, prefix, data.subarray(cut), signature),
            `cut at ${cut}`,
          ).toBe(true)
      }
    },
  )

  test.each([
    '',
    Buffer.from('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff700', 'hex'),
    Buffer.from('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff6', 'hex'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff',
    'g'.repeat(64),
  ])('rejects %j, which is not a MAC, also behind a right one', async (signature) => {
    const [known] = rfc4231
    const key = await mac.importKey(bytes(known?.key ?? ''))
    const body = bytes(known?.data ?? '')
    expect(await mac.verify(key, '', body, known?.mac ?? '')).toBe(true)
    expect(await mac.verify(key, '', body, signature)).toBe(false)
  })

  test.each([
    ['sha1', 20],
    ['sha256', 32],
    ['sha512', 64],
  ] as const)(
    'by %s agrees with createHmac on keys and bodies of every length about a block, and about 16 KiB',
    async (hash, length) => {
      const lengths = [
        ...Array(200).keys(),
        4096,
        ...[-12, -11, -10, -1, 0, 1].map((by) => 16_384 + by),
        200_000,
      ]
      const wrong: string[] = []
      for (const length of lengths) {
        const body = bytesFrom(length, length)
        for (const keyLength of [1, 20, 63, 64, 65, 70, 127, 128, 129, 131]) {
          const secret = bytesFrom(keyLength, length + 1)
          const expected = createHmac(hash, secret).update('1760000000.').update(body)
          const key = await mac.importKey(secret, hash)
          if (!(await mac.verify(key, '1760000000.', view(body), expected.digest('hex'))))
            wrong.push(`${keyLength}, ${length}`)
        }
      }
      expect(wrong).toEqual([])
      const key = await mac.importKey(bytesFrom(20, 1), hash)
      const made = await mac.sign(key, '', bytesFrom(10, 2))
      expect(made).toHaveLength(length)
      for (const changed of [made.subarray(1), made.map((byte) => byte ^ 1)])
        expect(await mac.verify(key, '', bytesFrom(10, 2), changed)).toBe(false)
      expect(await mac.verify(key, '', bytesFrom(10, 2), made)).toBe(true)
    },
  )

  test('finds no value of another length equal', () => {
    const value = bytes(rfc4231[0]?.mac ?? '')
    for (const other of [value.subarray(0, 31), value.subarray(0, 0), new Uint8Array(33)]) {
      expect(equalOrThrows(mac, value, other)).not.toBe(true)
      expect(equalOrThrows(mac, other, value)).not.toBe(true)
    }
  })

  test.each(digests)('gives the SHA-256 digest $digest', async ({ data, digest }) => {
    expect(hexadecimal(await mac.sha256(bytes(data)))).toBe(digest)
    expect(hexadecimal(await mac.sha256(view(bytes(data))))).toBe(digest)
    expect(await mac.sha256Hex(bytes(data))).toBe(digest)
    expect(await mac.sha256Hex(view(bytes(data)))).toBe(digest)
  })

  test('gives the digest of a text as that of its UTF-8', async () => {
    expect(await mac.sha256Hex('é')).toBe(createHash('sha256').update('é').digest('hex'))
  })
})

test('the key of WebCrypto cannot be read out again', async () => {
  const key: MacKey = await web.importKey(bytes('0102'))
  const exported = crypto.subtle.exportKey('raw', key as object as CryptoKey)
  await expect(exported).rejects.toThrow(DOMException)
})

/** node:crypto throws where WebCrypto's side returns; neither may say true. */
function equalOrThrows(mac: Mac, left: Uint8Array, right: Uint8Array) {
  try {
    return mac.equal(left, right)
  } catch (error) {
    return error
  }
}

function bytes(hex: string) {
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/** The same bytes, in the middle of a buffer of others. */
function view(of: Uint8Array) {
  const around = new Uint8Array(of.length + 20).fill(0x5a)
  around.set(of, 13)
  return around.subarray(13, 13 + of.length)
}

/** Bytes that look random and are the same in every run. */
function bytesFrom(length: number, seed: number) {
  const made = new Uint8Array(length)
  for (let at = 0; at < length; at += 32) {
    const block = createHash('sha256').update(`${seed} ${at}`).digest()
    made.set(block.subarray(0, Math.min(32, length - at)), at)
  }
  return made
}
