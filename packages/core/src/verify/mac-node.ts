import crypto, { type KeyObject } from 'node:crypto'
import { MAC_BYTES, type Mac, type MacKey } from './mac.ts'

/** A key as a KeyObject, and as the two blocks that its hashes begin with (RFC 2104, section 2). */
interface NodeKey {
  readonly object: KeyObject
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

/** What SHA-256 takes at a time, in bytes. */
const BLOCK = 64

/** Above so many bytes of prefix and body their copy costs more than it saves. */
const ONE_SHOT_LIMIT = 16_384

// Scratch memory of their own, not slices of Node's pool: nobody else's Buffer leads to the key by its `buffer`.
const inner = Buffer.allocUnsafeSlow(BLOCK + ONE_SHOT_LIMIT)
const outer = Buffer.allocUnsafeSlow(BLOCK + MAC_BYTES)
// What overwrites it: `fill` of a Buffer looks at its arguments for longer than it writes.
const innerBytes = new Uint8Array(inner.buffer)
const expected = Buffer.allocUnsafeSlow(MAC_BYTES)
const received = Buffer.allocUnsafeSlow(MAC_BYTES)

const opaque = (key: NodeKey) => key as unknown as MacKey
const nodeKey = (key: MacKey) => key as unknown as NodeKey

export const mac: Mac = {
  importKey(secret) {
    oneShotWorks ??= agrees()
    return opaque(prepared(secret))
  },
  sign: (key, prefix, body) => hmac(nodeKey(key), prefix, body),
  verify(key, prefix, body, signature) {
    if (oneShotWorks && prefix.length + body.length <= ONE_SHOT_LIMIT) {
      expected.write(oneShot(nodeKey(key), prefix, body), 'latin1')
    } else {
      expected.set(hmac(nodeKey(key), prefix, body))
    }
    if (typeof signature === 'string') {
      return (
        received.write(signature, 'hex') === MAC_BYTES && crypto.timingSafeEqual(expected, received)
      )
    }
    return signature.length === MAC_BYTES && crypto.timingSafeEqual(expected, signature)
  },
  equal: crypto.timingSafeEqual,
  sha256,
  isSync: true,
  sha256Hex(content) {
    oneShotWorks ??= agrees()
    if (oneShotWorks) return crypto.hash('sha256', content, 'hex')
    return crypto.createHash('sha256').update(content).digest('hex')
  },
}

function prepared(secret: Uint8Array): NodeKey {
  const block = new Uint8Array(BLOCK)
  block.set(secret.length > BLOCK ? sha256(secret) : secret)
  return {
    // A KeyObject made once: a Buffer as key is imported again for each MAC, at several times the cost.
    object: crypto.createSecretKey(secret),
    inner: block.map((byte) => byte ^ 0x36),
    outer: block.map((byte) => byte ^ 0x5c),
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return crypto.createHash('sha256').update(bytes).digest()
}

function hmac({ object }: NodeKey, prefix: string, body: Uint8Array): Buffer<ArrayBuffer> {
  return crypto.createHmac('sha256', object).update(prefix, 'latin1').update(body).digest()
}

/**
 * The MAC by two calls of crypto.hash, which leave no native object to be collected: about half the
 * time for a small body. Latin-1 is the cheapest form to get 32 bytes in.
 */
function oneShot(key: NodeKey, prefix: string, body: Uint8Array): string {
  const start = BLOCK + prefix.length
  const end = start + body.length
  if (written !== key) writeBlocks(key)
  inner.write(prefix, BLOCK, 'latin1')
  inner.set(body, start)
  const digest = crypto.hash('sha256', inner.subarray(0, end), 'binary')
  innerBytes.fill(0, BLOCK, end)
  outer.write(digest, BLOCK, 'latin1')
  return crypto.hash('sha256', outer, 'binary')
}

/** The key whose blocks the scratch memory begins with, which lives as long as its receiver. No body stays behind it. */
let written: NodeKey | undefined

function writeBlocks(key: NodeKey): void {
  inner.set(key.inner)
  outer.set(key.outer)
  written = key
}

/**
 * Not everything that offers node:crypto has crypto.hash, so it has to give a right value first. Asked with the first key,
 * because hashing takes as long as importing all of core.
 */
let oneShotWorks: boolean | undefined

function agrees(): boolean {
  const key = prepared(Uint8Array.of(7))
  const body = Uint8Array.of(0, 0xff)
  try {
    return oneShot(key, '\x80', body) === hmac(key, '\x80', body).toString('latin1')
  } catch {
    return false
  }
}
