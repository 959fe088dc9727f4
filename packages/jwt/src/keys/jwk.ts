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
  const { kty, n, e, crv, x, y } = jwk
  if (type === 'oct' || !isFor(jwk, algorithm)) return undefined
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

/** Whether a key says that it signs by this algorithm. Others may have its id (RFC 7517, section 4.5). */
export function isFor({ kty, crv, use = 'sig', alg }: Jwk, algorithm: Algorithm): boolean {
  const { type, ...wanted } = ALGORITHMS[algorithm]
  const isCurve = !('namedCurve' in wanted) || crv === wanted.namedCurve
  return kty === type && isCurve && use === 'sig' && (alg ?? algorithm) === algorithm
}
