/** A change to a delivery after which a receiver must reject it. */
export type Tampering =
  /** A word of the body, or a letter, is changed after it was signed. */
  | 'body'
  /** Signed with another secret. */
  | 'wrong-secret'
  /** Signed a day ago. */
  | 'stale'
  /** Signed a day from now. */
  | 'future'
  /** @deprecated What `body` was called before. */
  | 'alter'

export const TAMPERINGS: readonly Tampering[] = ['body', 'wrong-secret', 'stale', 'future', 'alter']

/** By what a delivery is signed that is to be tampered with. `far` is how far `stale` and `future` are from the clock, in milliseconds. */
export async function tamperedSigning<
  Given extends { readonly secret: string; readonly now: number },
>(signing: Given, tampering: Tampering | undefined, far: number): Promise<Given> {
  const { secret, now } = signing
  const late = tampering === 'stale' ? -far : tampering === 'future' ? far : 0
  return {
    ...signing,
    secret: tampering === 'wrong-secret' ? await otherSecret(secret) : secret,
    now: now + late,
  }
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

/** The keys with which services sign that share no secret. Ed25519 is the last, since workerd takes every private key for one. */
const KINDS = [
  { name: 'ECDSA', namedCurve: 'P-256' },
  {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: /* @__PURE__ */ Uint8Array.of(1, 0, 1),
  },
  { name: 'Ed25519' },
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

/**
 * Replaces the last word of the last text, so that somebody who reads the body sees it; without a text, changes the case of the last
 * letter of a value, or its last digit. JSON, forms and XML stay what they are: only the signature tells that they were changed.
 */
export function tamperedWord(body: Uint8Array): {
  readonly body: Uint8Array<ArrayBuffer>
  readonly note: string
} {
  // One character for each byte.
  const text = textOf(body)
  const valuesIn = FORMATS.find(([begins]) => begins.test(text))?.[1] ?? /.+/gs
  const values = [...text.matchAll(valuesIn)].filter(([, colon]) => colon === undefined)
  const texts = values.filter(([value]) => value.includes(' '))
  const found = lastOf(texts, '[a-z]{4,}') ?? lastOf(values, '[a-z]') ?? lastOf(values, '[0-9]')
  if (!found) return { body: bytesOf(`${text} `), note: 'a space was added at the end' }
  const { word, at } = found
  const [what, other] =
    word.length > 1
      ? ['', word === 'tampered' ? 'changed' : 'tampered']
      : /\d/.test(word)
        ? ['the last digit ', word === '9' ? '8' : String(Number(word) + 1)]
        : ['the last letter ', String.fromCharCode(word.charCodeAt(0) ^ 0x20)]
  return {
    body: bytesOf(text.slice(0, at) + other + text.slice(at + word.length)),
    note: `${what}"${word}" became "${other}"`,
  }
}

/** How a body of each format begins, and its values. A string of JSON with a colon after it is a name. */
const FORMATS = [
  [/^\s*[[{]/, /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|\d+/gs],
  [/^\s*</, /(?<=>)[^<]+/g],
  [/^[^\s=&]+=/, /(?<==)[^&]+/g],
] as const

/** Escapes of JSON, XML and forms, and in a form the names and literals of JSON: to be left as they are. */
const KEPT = String.raw`\\(?:u.{4}|.)|&#?\w+;|%22[^%]*(?=%22%3A)|%[\da-f]{2}(?:null|true|false)?`

/** Where the last of these values that has `what`, a regular expression, has it the last time. */
function lastOf(values: readonly RegExpExecArray[], what: string) {
  const pattern = new RegExp(`${KEPT}|(${what})`, 'gis')
  for (const { 0: value, index } of values.toReversed()) {
    const found = [...value.matchAll(pattern)].findLast(([, word]) => word !== undefined)
    if (found?.[1] !== undefined) return { word: found[1], at: index + found.index }
  }
  return undefined
}

/** A function takes so many arguments on every runtime. */
const CHUNK = 8192

function textOf(body: Uint8Array): string {
  let text = ''
  for (let at = 0; at < body.length; at += CHUNK) {
    text += String.fromCharCode(...body.subarray(at, at + CHUNK))
  }
  return text
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
