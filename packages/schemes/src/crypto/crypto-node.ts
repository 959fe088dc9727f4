import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Bytes, Crypto, Handle, PublicAlgorithm } from './crypto.ts'
import { checkPoint } from './ed25519.ts'
import { checkSize } from './rsa.ts'

interface NodeKey {
  /** Of what is signed; `null` where the algorithm has its own. */
  readonly hash: string | null
  readonly key: KeyObject
}

/** The hash, and the type of the key. */
const ALGORITHMS: Readonly<Record<PublicAlgorithm, readonly [hash: string | null, type: string]>> =
  {
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
    return handleOf({ hash, key: publicKey(material, type) })
  },
  importPrivate(algorithm, material) {
    const [hash, type] = ALGORITHMS[algorithm]
    const key = createPrivateKey({ key: Buffer.from(material), format: 'der', type: 'pkcs8' })
    return handleOf({ hash, key: ofType(key, type) })
  },
  sign(handle, content) {
    const { hash, key } = nodeKey(handle)
    if (key.type === 'public') return undefined
    return Uint8Array.from(sign(hash, content, key))
  },
  verify(handle, content, signature) {
    const { hash, key } = nodeKey(handle)
    return verify(hash, content, key, signature)
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

function ofType(key: KeyObject, type: string): KeyObject {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  const found = [key.asymmetricKeyType, namedCurve].filter(Boolean).join(' ')
  if (found === type) return key
  throw new Error(`it is a key for ${found}`)
}
