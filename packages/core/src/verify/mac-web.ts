import { hexadecimal } from './hexadecimal.ts'
import type { Mac, MacKey } from './mac.ts'

const opaque = (key: CryptoKey) => key as unknown as MacKey
const cryptoKey = (key: MacKey) => key as unknown as CryptoKey

export const mac: Mac = {
  async importKey(secret, hash = 'sha256') {
    const algorithm = { name: 'HMAC', hash: hash.replace('sha', 'SHA-') }
    return opaque(await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']))
  },
  async sign(key, prefix, body) {
    return new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey(key), joined(prefix, body)))
  },
  async verify(key, prefix, body, signature) {
    const received = typeof signature === 'string' ? bytesOf(signature) : signature
    return mac.equal(await mac.sign(key, prefix, body), received)
  },
  // Not subtle.verify: until March 2026 it compared with memcmp on Node (CVE-2026-21713).
  equal(left, right) {
    let difference = left.length ^ right.length
    for (let index = 0; index < left.length; index++) {
      difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
    }
    return difference === 0
  },
  async sha256(bytes) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  },
  isSync: false,
  async sha256Hex(content) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    // No adapter reads into shared memory.
    return hexadecimal(await mac.sha256(bytes as Uint8Array<ArrayBuffer>))
  },
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from(digits.matchAll(/../g), ([pair]) => Number.parseInt(pair, 16))
}

/** WebCrypto takes one buffer. */
function joined(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(prefix.length + body.length)
  bytes.set(Array.from(prefix, (byte) => byte.charCodeAt(0)))
  bytes.set(body, prefix.length)
  return bytes
}
