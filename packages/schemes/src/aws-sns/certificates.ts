import { crypto } from '#crypto'
import type { Handle } from '../crypto/crypto.ts'
import { type Fetching, loader } from './loader.ts'
import { readCertificate } from './x509.ts'

/** The key of a certificate for each version of the signature. */
export type Keys = Readonly<Record<'1' | '2', Handle>>

/** Makes the function that gets the keys of a certificate by its URL. */
export function certificates(fetching: Fetching): (url: string) => Promise<Keys> {
  return loader(fetching, async (pem, url) => {
    const { publicKey, notBefore, notAfter } = readCertificate(pem)
    const now = fetching.now()
    if (now < notBefore || now > notAfter) throw new Error(`${url} is not valid now`)
    const [sha1, sha256] = await Promise.all([
      crypto.importKey('rsa-sha1', publicKey),
      crypto.importKey('rsa-sha256', publicKey),
    ])
    return { value: { 1: sha1, 2: sha256 }, until: notAfter }
  })
}
