import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import type { Mac, MacKey } from './mac.ts'

// A KeyObject made once: a Buffer as key is imported anew for each MAC, at several times the cost.
const opaque = (key: KeyObject) => key as unknown as MacKey
const keyObject = (key: MacKey) => key as unknown as KeyObject

export const mac: Mac = {
  importKey(secret) {
    return opaque(createSecretKey(secret))
  },
  sign(key, prefix, body) {
    return createHmac('sha256', keyObject(key)).update(prefix, 'latin1').update(body).digest()
  },
  equal(left, right) {
    return timingSafeEqual(left, right)
  },
  sha256(bytes) {
    return createHash('sha256').update(bytes).digest()
  },
}
