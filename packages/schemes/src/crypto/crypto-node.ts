import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import type { Algorithm } from '../value.ts'
import type { Bytes, Content, Crypto, Handle } from './crypto.ts'
import { checkPoint } from './ed25519.ts'
import { checkSize } from './rsa.ts'

interface NodeKey {
  /** Of a MAC or of what is signed; `null` where the algorithm has its own. */
  readonly hash: string | null
  readonly key: KeyObject
}

/** The hash, and the type of a public key. */
const ALGORITHMS: Readonly<
  Record<Algorithm | 'rsa-sha1', readonly [hash: string | null, type?: string]>
> = {
  'hmac-sha1': ['sha1'],
  'hmac-sha256': ['sha256'],
  'hmac-sha512': ['sha512'],
  ed25519: [null, 'ed25519'],
  'ecdsa-p256': ['sha256', 'ec prime256v1'],
  'rsa-sha256': ['sha256', 'rsa'],
  // The first version of SNS's signature.
  'rsa-sha1': ['sha1', 'rsa'],
}

const nodeKey = (handle: Handle) => handle as unknown as NodeKey

export const crypto: Crypto = {
  importKey(algorithm, material) {
    const [hash, type] = ALGORITHMS[algorithm]
    const key = type === undefined ? createSecretKey(material) : publicKey(material, type)
    return handleOf({ hash, key })
  },
  importPrivate(algorithm, material) {
    const [hash, type] = ALGORITHMS[algorithm]
    const key = createPrivateKey({ key: Buffer.from(material), format: 'der', type: 'pkcs8' })
    return handleOf({ hash, key: ofType(key, type) })
  },
  sign(handle, content) {
    const { hash, key } = nodeKey(handle)
    if (key.type === 'secret') return new Uint8Array(mac(nodeKey(handle), content))
    if (key.type === 'public') return undefined
    return Uint8Array.from(sign(hash, Buffer.concat(content), key))
  },
  verify(handle, content, signature) {
    const { hash, key } = nodeKey(handle)
    if (key.type !== 'secret') return verify(hash, Buffer.concat(content), key, signature)
    const expected = mac(nodeKey(handle), content)
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  },
}

function handleOf(key: NodeKey): Handle {
  return key as object as Handle
}

function publicKey(der: Bytes, type: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  const checked = ofType(key, type)
  if (type === 'ed25519') checkPoint(der)
  checkSize(modulusLength, publicExponent)
  return checked
}

function ofType(key: KeyObject, type: string | undefined): KeyObject {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  const found = [key.asymmetricKeyType, namedCurve].filter(Boolean).join(' ')
  if (found === type) return key
  throw new Error(`it is a key for ${found}`)
}

function mac({ hash, key }: NodeKey, content: Content): Buffer {
  const hmac = createHmac(hash ?? '', key)
  for (const part of content) hmac.update(part)
  return hmac.digest()
}
