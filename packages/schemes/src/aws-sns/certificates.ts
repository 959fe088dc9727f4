import {
  getText,
  type Loader,
  type LoaderOptions,
  loader,
  readCertificate,
} from '@webhook-receiver/core/internal'
import { crypto } from '#crypto'
import type { Bytes, Handle } from '../crypto/crypto.ts'
import { decode } from '../engine/encoding.ts'

export interface Fetching extends LoaderOptions {
  readonly fetch: typeof fetch
}

/** The key of a certificate for each version of the signature. */
export type Keys = Readonly<Record<'1' | '2', Handle>>

/** Makes the function that gets the keys of a certificate by its URL. */
export function certificates(fetching: Fetching): Loader<Keys> {
  return loader(fetching, async (url) => {
    const pem = await getText(fetching.fetch, url, MOST_BYTES)
    const { publicKey, notBefore, notAfter } = readCertificate(readPem(pem))
    const now = fetching.now()
    if (now < notBefore || now > notAfter) throw new Error(`${url} is not valid now`)
    const [sha1, sha256] = await Promise.all([
      crypto.importKey('rsa-sha1', publicKey),
      crypto.importKey('rsa-sha256', publicKey),
    ])
    return { value: { 1: sha1, 2: sha256 }, until: notAfter }
  })
}

const MOST_BYTES = 16_384

/** The DER of one certificate in PEM. Who signed it is not looked at: it has to come from where it cannot be anyone's. */
export function readPem(pem: string): Bytes {
  const [, text = ''] =
    /^-----BEGIN CERTIFICATE-----([\w+/=\s]+)-----END CERTIFICATE-----\s*$/.exec(pem) ?? []
  const der = decode('base64', text.replaceAll(/\s/g, ''))
  if (!der?.length) throw new Error('it is not a certificate in PEM')
  return der
}
