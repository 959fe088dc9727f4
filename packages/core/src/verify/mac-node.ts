import crypto, { type KeyObject } from 'node:crypto'
import { MAC_BYTES, type Mac, type MacHash, type MacKey } from './mac.ts'

/** A key as a KeyObject, and as the two blocks that its hashes begin with (RFC 2104, section 2). */
interface NodeKey {
  readonly hash: Hash
  readonly object: KeyObject
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

/** Above so many bytes of prefix and body their copy costs more than it saves. */
const ONE_SHOT_LIMIT = 16_384

const opaque = (key: NodeKey) => key as unknown as MacKey
const nodeKey = (key: MacKey) => key as unknown as NodeKey

export const mac: Mac = {
  importKey: (secret, hash = 'sha256') => opaque(prepared(secret, hashOf(hash))),
  sign: (key, prefix, body) => hmac(nodeKey(key), prefix, body),
  verify(key, prefix, body, signature) {
    const own = nodeKey(key)
    const { bytes, isOneShot, expected, received } = own.hash
    if (isOneShot && prefix.length + body.length <= ONE_SHOT_LIMIT) {
      expected.write(oneShot(own, prefix, body), 'latin1')
    } else {
      expected.set(hmac(own, prefix, body))
    }
    if (typeof signature === 'string') {
      return (
        received.write(signature, 'hex') === bytes && crypto.timingSafeEqual(expected, received)
      )
    }
    return signature.length === bytes && crypto.timingSafeEqual(expected, signature)
  },
  equal: crypto.timingSafeEqual,
  sha256,
  isSync: true,
  sha256Hex(content) {
    if (hashOf('sha256').isOneShot) return crypto.hash('sha256', content, 'hex')
    return crypto.createHash('sha256').update(content).digest('hex')
  },
}

/** A hash function, with the scratch memory of its MACs. */
interface Hash {
  readonly name: MacHash
  /** What it takes at a time, in bytes. */
  readonly block: number
  /** The length of its value. */
  readonly bytes: number
  // Memory of their own, not slices of Node's pool: nobody else's Buffer leads to the key by its `buffer`.
  readonly inner: Buffer
  readonly outer: Buffer
  /** What overwrites `inner`: `fill` of a Buffer looks at its arguments for longer than it writes. */
  readonly innerBytes: Uint8Array
  readonly expected: Buffer
  readonly received: Buffer
  /** The key whose blocks the memory begins with, which lives as long as its receiver. No body stays behind it. */
  written: NodeKey | undefined
  /** Not everything that offers node:crypto has crypto.hash, so it has to give a right value first. */
  isOneShot: boolean
}

/** Made with the first key of each, because hashing takes as long as importing all of core. */
const hashes: { [name in MacHash]?: Hash } = {}

function hashOf(name: MacHash): Hash {
  hashes[name] ??= madeHash(name)
  return hashes[name]
}

function madeHash(name: MacHash): Hash {
  const block = name === 'sha512' ? 128 : 64
  const bytes = MAC_BYTES[name]
  const inner = Buffer.allocUnsafeSlow(block + ONE_SHOT_LIMIT)
  const hash: Hash = {
    name,
    block,
    bytes,
    inner,
    outer: Buffer.allocUnsafeSlow(block + bytes),
    innerBytes: new Uint8Array(inner.buffer),
    expected: Buffer.allocUnsafeSlow(bytes),
    received: Buffer.allocUnsafeSlow(bytes),
    written: undefined,
    isOneShot: false,
  }
  hash.isOneShot = agrees(hash)
  return hash
}

function agrees(hash: Hash): boolean {
  const key = prepared(Uint8Array.of(7), hash)
  const body = Uint8Array.of(0, 0xff)
  try {
    return oneShot(key, '\x80', body) === hmac(key, '\x80', body).toString('latin1')
  } catch {
    return false
  }
}

function prepared(secret: Uint8Array, hash: Hash): NodeKey {
  const block = new Uint8Array(hash.block)
  const isLong = secret.length > hash.block
  block.set(isLong ? crypto.createHash(hash.name).update(secret).digest() : secret)
  return {
    hash,
    // A KeyObject made once: a Buffer as key is imported again for each MAC, at several times the cost.
    object: crypto.createSecretKey(secret),
    inner: block.map((byte) => byte ^ 0x36),
    outer: block.map((byte) => byte ^ 0x5c),
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return crypto.createHash('sha256').update(bytes).digest()
}

function hmac({ hash, object }: NodeKey, prefix: string, body: Uint8Array): Buffer<ArrayBuffer> {
  return crypto.createHmac(hash.name, object).update(prefix, 'latin1').update(body).digest()
}

/**
 * The MAC by two calls of crypto.hash, which leave no native object to be collected: about half the
 * time for a small body. Latin-1 is the cheapest form to get some bytes in.
 */
function oneShot(key: NodeKey, prefix: string, body: Uint8Array): string {
  const { hash } = key
  const { name, block, inner, outer } = hash
  const start = block + prefix.length
  const end = start + body.length
  if (hash.written !== key) writeBlocks(key)
  inner.write(prefix, block, 'latin1')
  inner.set(body, start)
  const digest = crypto.hash(name, inner.subarray(0, end), 'binary')
  hash.innerBytes.fill(0, block, end)
  outer.write(digest, block, 'latin1')
  return crypto.hash(name, outer, 'binary')
}

function writeBlocks(key: NodeKey): void {
  key.hash.inner.set(key.inner)
  key.hash.outer.set(key.outer)
  key.hash.written = key
}
