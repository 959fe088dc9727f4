import { checkValue } from '../validate/check-options.ts'
import { oneOf } from '../validate/rule.ts'

/** A change to a delivery after which a receiver must reject it. */
export type Tampering =
  /** One letter of the body is changed after it was signed. */
  | 'alter'
  /** Signed with another secret. */
  | 'wrong-secret'
  /** Signed a day ago. */
  | 'stale'
  /** Signed a day from now. */
  | 'future'

/** What is different about a delivery. */
export interface Changes {
  /** Whether it is signed with another secret. */
  readonly forged: boolean
  /** Seconds from the clock. */
  readonly skew: number
  /** Applied to what was signed. */
  readonly rewrite: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

const DAY = 86_400

const NONE: Changes = { forged: false, skew: 0, rewrite: (body) => body }

const TAMPERINGS: readonly Tampering[] = ['alter', 'wrong-secret', 'stale', 'future']

const CHANGES: { readonly [Name in Tampering]: Changes } = {
  alter: { ...NONE, rewrite: alterLastTime },
  'wrong-secret': { ...NONE, forged: true },
  stale: { ...NONE, skew: -DAY },
  future: { ...NONE, skew: DAY },
}

/**
 * Another secret of the same form: one character in its middle is another digit, which hexadecimal and base64 have too. In place of a
 * private key, a new one of its kind.
 */
export async function otherSecret(secret: string): Promise<string> {
  const [, base64] = PRIVATE_KEY.exec(secret) ?? []
  if (base64 !== undefined) return otherKey(base64)
  const middle = Math.floor(secret.length / 2)
  return `${secret.slice(0, middle)}${secret[middle] === '0' ? 1 : 0}${secret.slice(middle + 1)}`
}

const PRIVATE_KEY = /^\s*-----BEGIN PRIVATE KEY-----(.*)-----END PRIVATE KEY-----/s

/** The keys with which services sign that share no secret. */
const KINDS = [
  { name: 'Ed25519' },
  { name: 'ECDSA', namedCurve: 'P-256' },
  {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
] as const

async function otherKey(base64: string): Promise<string> {
  const { subtle } = crypto
  const digits = base64.replaceAll(/\s|\\[nr]/g, '')
  const der = Uint8Array.from(atob(digits), (one) => one.charCodeAt(0))
  for (const kind of KINDS) {
    const key = await subtle.importKey('pkcs8', der, kind, false, ['sign']).catch(() => undefined)
    if (!key) continue
    const pair = await subtle.generateKey(kind, true, ['sign', 'verify'])
    if (!('privateKey' in pair)) break
    const other = new Uint8Array(await subtle.exportKey('pkcs8', pair.privateKey))
    return `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...other))}\n-----END PRIVATE KEY-----\n`
  }
  throw new TypeError('The private key is not one with which a service signs.')
}

/** @throws TypeError for a name that is none. */
export function changesFor(tamper: Tampering | undefined): Changes {
  if (tamper === undefined) return NONE
  return CHANGES[checkValue('tamper', tamper, oneOf(TAMPERINGS))]
}

/** The Z of the last time in lower case: the body keeps its length and remains text. */
function alterLastTime(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return body.with(body.lastIndexOf(0x5a), 0x7a)
}
