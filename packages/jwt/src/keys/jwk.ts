import { ALGORITHMS, type Algorithm } from './algorithm.ts'

/** A public key as JSON (RFC 7517). */
export type Jwk = Readonly<Record<string, unknown>>

/** The shortest RSA key (RFC 7518, section 3.3), in bits. */
const SHORTEST = 2048

/** The key, if it is a public one for this algorithm; otherwise `undefined`. */
export async function importPublicKey(
  jwk: Jwk,
  algorithm: Algorithm,
): Promise<CryptoKey | undefined> {
  const { type, ...wanted } = ALGORITHMS[algorithm]
  const { kty, use = 'sig', alg = algorithm, n, e, crv, x, y } = jwk
  if (kty !== type || type === 'oct' || use !== 'sig' || alg !== algorithm) return undefined
  // Nothing else of it: a private key would have more.
  const parts = { kty, n, e, crv, x, y }
  const material = JSON.parse(JSON.stringify(parts))
  try {
    const key = await crypto.subtle.importKey('jwk', material, wanted, false, ['verify'])
    const { algorithm: made } = key
    const size = 'modulusLength' in made ? Number(made.modulusLength) : SHORTEST
    return size < SHORTEST ? undefined : key
  } catch {
    return undefined
  }
}
