import { mac } from '@webhook-receiver/core/internal'
import type { Algorithm } from '../value.ts'
import type { Bytes, Content, Crypto, Handle } from './crypto.ts'
import { readEcdsa, writeEcdsa } from './der.ts'
import { checkPoint } from './ed25519.ts'
import { checkSize } from './rsa.ts'

interface WebAlgorithm {
  readonly name: string
  readonly hash?: string
  readonly namedCurve?: string
}

const ALGORITHMS: Readonly<Record<Algorithm | 'rsa-sha1', WebAlgorithm>> = {
  'hmac-sha1': { name: 'HMAC', hash: 'SHA-1' },
  'hmac-sha256': { name: 'HMAC', hash: 'SHA-256' },
  'hmac-sha512': { name: 'HMAC', hash: 'SHA-512' },
  ed25519: { name: 'Ed25519' },
  'ecdsa-p256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'rsa-sha256': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'rsa-sha1': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' },
}

const { subtle } = globalThis.crypto
const cryptoKey = (handle: Handle) => handle as unknown as CryptoKey

export const crypto: Crypto = {
  async importKey(algorithm, material) {
    const web = ALGORITHMS[algorithm]
    const shared = web.name === 'HMAC'
    const usage = shared ? 'sign' : 'verify'
    const key = await subtle.importKey(shared ? 'raw' : 'spki', material, web, false, [usage])
    if (algorithm === 'ed25519') checkPoint(material)
    if (web.name.startsWith('RSA')) checkRsa(key.algorithm as RsaKeyAlgorithm)
    return key as object as Handle
  },
  async importPrivate(algorithm, material) {
    const key = await subtle.importKey('pkcs8', material, ALGORITHMS[algorithm], false, ['sign'])
    return key as object as Handle
  },
  async sign(handle, content) {
    const key = cryptoKey(handle)
    if (key.type === 'public') return undefined
    const { name } = key.algorithm
    const made = await subtle.sign({ hash: 'SHA-256', name }, key, whole(content))
    return name === 'ECDSA' ? writeEcdsa(new Uint8Array(made)) : new Uint8Array(made)
  },
  async verify(handle, content, signature) {
    const key = cryptoKey(handle)
    const { name } = key.algorithm
    if (name !== 'HMAC') {
      const numbers = name === 'ECDSA' ? readEcdsa(signature) : signature
      return !!numbers && subtle.verify({ hash: 'SHA-256', name }, key, numbers, whole(content))
    }
    // Not subtle.verify: until March 2026 it compared with memcmp on Node (CVE-2026-21713).
    const made = new Uint8Array(await subtle.sign('HMAC', key, whole(content)))
    return made.length === signature.length && mac.equal(made, signature)
  },
}

function checkRsa({ modulusLength, publicExponent }: RsaKeyAlgorithm): void {
  const digits = Array.from(publicExponent, (byte) => byte.toString(16).padStart(2, '0'))
  checkSize(modulusLength, BigInt(`0x${digits.join('')}`))
}

/** WebCrypto takes one buffer. */
function whole(content: Content): Bytes {
  const bytes = new Uint8Array(content.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of content) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
