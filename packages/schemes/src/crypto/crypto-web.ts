import type { Crypto, Handle, PublicAlgorithm } from './crypto.ts'
import { readEcdsa, writeEcdsa } from './der.ts'
import { checkPoint } from './ed25519.ts'
import { checkSize } from './rsa.ts'

interface WebAlgorithm {
  readonly name: string
  readonly hash?: string
  readonly namedCurve?: string
}

const ALGORITHMS: Readonly<Record<PublicAlgorithm, WebAlgorithm>> = {
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
    const key = await subtle.importKey('spki', material, web, false, ['verify'])
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
    const made = await subtle.sign({ hash: 'SHA-256', name }, key, content)
    return name === 'ECDSA' ? writeEcdsa(new Uint8Array(made)) : new Uint8Array(made)
  },
  async verify(handle, content, signature) {
    const key = cryptoKey(handle)
    const { name } = key.algorithm
    const numbers = name === 'ECDSA' ? readEcdsa(signature) : signature
    return !!numbers && subtle.verify({ hash: 'SHA-256', name }, key, numbers, content)
  },
}

function checkRsa({ modulusLength, publicExponent }: RsaKeyAlgorithm): void {
  const digits = Array.from(publicExponent, (byte) => byte.toString(16).padStart(2, '0'))
  checkSize(modulusLength, BigInt(`0x${digits.join('')}`))
}
