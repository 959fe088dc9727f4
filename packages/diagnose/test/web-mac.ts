import type { Mac, MacKey } from '@webhook-receiver/core/internal'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
const keys = new WeakMap<MacKey, CryptoKey>()

/** The MAC by WebCrypto, on any runtime: every result is a promise, and a key is an object that tells nothing. */
export const webMac: Mac = {
  async importKey(secret) {
    const key = Object.freeze({}) as MacKey
    keys.set(key, await crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign']))
    return key
  },
  async sign(key, prefix, body) {
    const imported = keys.get(key)
    if (!imported) throw new TypeError('This key was not made here.')
    const message = Buffer.concat([Buffer.from(prefix, 'latin1'), body])
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
  },
  async verify(key, prefix, body, expected) {
    const right = typeof expected === 'string' ? Buffer.from(expected, 'hex') : expected
    return webMac.equal(await webMac.sign(key, prefix, body), new Uint8Array(right))
  },
  equal: (left, right) => Buffer.compare(left, right) === 0,
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  isSync: false,
  async sha256Hex() {
    throw new Error('A diagnosis asks for bytes.')
  },
}
