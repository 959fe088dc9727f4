import {
  type Certificate,
  hexadecimal,
  isAuthority,
  keepNewest,
  readCertificate,
  readEcdsa,
} from '@webhook-receiver/core/internal'
import { ALGORITHMS } from './algorithm.ts'
import type { KeySource } from './source.ts'

export interface ChainOptions {
  /** Whose certificates they are, for messages. */
  readonly from: string
  /** The SHA-256 of each root that is trusted, in hexadecimal digits. */
  readonly roots: readonly string[]
  /** Object identifiers of extensions that the certificate of the key, and the one that signed it, have to have. */
  readonly leaf: string
  readonly intermediate: string
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

type Bytes = Uint8Array<ArrayBuffer>

/** Of one certificate in base64. */
const LONGEST = 8192

/** How a certificate may be signed, by its object identifier, and the sizes of the curves. */
const SIGNATURES: Readonly<Record<string, string>> = {
  '2a8648ce3d040302': 'SHA-256',
  '2a8648ce3d040303': 'SHA-384',
}
const CURVES = { 'P-256': 32, 'P-384': 48 }
/** By how a public key on one of them begins (RFC 5480, section 2). */
const KEYS: Readonly<Record<string, keyof typeof CURVES>> = {
  '3059301306072a8648ce3d020106082a8648ce3d030107034200': 'P-256',
  '3076301006072a8648ce3d020106052b81040022036200': 'P-384',
}

/** Basic constraints, key usage and extended key usage: others that are critical are not understood. */
const UNDERSTOOD = ['551d13', '551d0f', '551d25']

/**
 * The key of a certificate that comes with the token (`x5c`), if the chain of three leads to a root that is trusted: each is signed by the
 * next one (by ECDSA), valid now, and of its kind. A revocation is not looked up.
 */
export function certificateChain(options: ChainOptions): KeySource {
  const { from, roots, now = () => Date.now() } = options
  const [leafKind, intermediateKind] = [options.leaf, options.intermediate].map(digitsOf)
  if (roots.length === 0 || !roots.every((root) => /^[\da-f]{64}$/.test(root))) {
    throw new TypeError('`roots` should be SHA-256 digests, each of 64 hexadecimal digits.')
  }
  const verified = new Map<string, { readonly key: CryptoKey; readonly until: number }>()

  async function keyOf(encoded: readonly string[]): Promise<CryptoKey | undefined> {
    const text = encoded.join()
    const known = verified.get(text)
    if (known && now() < known.until) return known.key
    const [leafBytes, intermediateBytes, rootBytes] = encoded.map(bytesOf)
    if (!leafBytes || !intermediateBytes || !rootBytes || encoded.length !== 3) return undefined
    // First of all, since anybody can send certificates.
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', rootBytes))
    if (!roots.includes(hexadecimal(digest))) return undefined
    const chain = [leafBytes, intermediateBytes, rootBytes].map(readCertificate)
    const [leaf, intermediate, root] = chain
    const time = now()
    const until = Math.min(...chain.map(({ notAfter }) => notAfter))
    const isValid =
      leaf &&
      intermediate &&
      root &&
      chain.every(
        ({ notBefore, critical }) =>
          notBefore <= time && critical.every((id) => UNDERSTOOD.includes(id)),
      ) &&
      time < until &&
      leaf.extensions.has(leafKind ?? '') &&
      intermediate.extensions.has(intermediateKind ?? '') &&
      isAuthority(root) &&
      isAuthority(intermediate) &&
      !isAuthority(leaf) &&
      (await isSignedBy(intermediate, root)) &&
      (await isSignedBy(leaf, intermediate))
    if (!isValid) return undefined
    const key = await publicKeyOf(leaf)
    keepNewest(verified, text, { key, until })
    return key
  }

  return {
    from,
    isShared: true,
    async find({ x5c }, algorithm) {
      if (ALGORITHMS[algorithm].type !== 'EC' || !isListOfText(x5c)) return undefined
      // Whatever its certificates are, that is the sender's fault.
      return keyOf(x5c).catch(() => undefined)
    },
  }
}

async function isSignedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const hash = SIGNATURES[certificate.algorithm]
  if (hash === undefined || hexadecimal(certificate.issuer) !== hexadecimal(issuer.subject)) {
    return false
  }
  const signature = readEcdsa(certificate.signature, CURVES[curveOf(issuer)])
  const key = await publicKeyOf(issuer)
  return crypto.subtle.verify({ name: 'ECDSA', hash }, key, signature, certificate.signed)
}

function publicKeyOf(certificate: Certificate): Promise<CryptoKey> {
  const algorithm = { name: 'ECDSA', namedCurve: curveOf(certificate) }
  return crypto.subtle.importKey('spki', certificate.publicKey, algorithm, false, ['verify'])
}

function curveOf({ publicKey }: Certificate): keyof typeof CURVES {
  const digits = hexadecimal(publicKey)
  const [, curve] = Object.entries(KEYS).find(([begins]) => digits.startsWith(begins)) ?? []
  if (!curve) throw new Error('its key is on another curve')
  return curve
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function bytesOf(text: string): Bytes | undefined {
  if (text.length > LONGEST || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** `1.2.840.10045` in DER (X.690, section 8.19), in hexadecimal digits. */
function digitsOf(id: string): string {
  if (!/^[012](?:\.\d{1,9})+$/.test(id)) throw new TypeError(`"${id}" is no object identifier.`)
  const [first = 0, second = 0, ...others] = id.split('.').map(Number)
  const bytes = [40 * first + second, ...others].flatMap((number) => {
    const digits = [number % 128]
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
      digits.unshift(128 + (rest % 128))
    }
    return digits
  })
  return hexadecimal(Uint8Array.from(bytes))
}
