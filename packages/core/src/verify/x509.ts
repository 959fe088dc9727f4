import { hexadecimal } from './hexadecimal.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is used of a certificate (RFC 5280, section 4.1), of which nothing is verified. Times are in milliseconds since the epoch. */
export interface Certificate {
  /** What its issuer has signed. */
  readonly signed: Bytes
  /** The object identifier of how it was signed, as the digits of its DER: `2a8648ce3d040302`. */
  readonly algorithm: string
  /** As the algorithm writes it. */
  readonly signature: Bytes
  /** The names of who has signed it and of whom it is, in DER. */
  readonly issuer: Bytes
  readonly subject: Bytes
  readonly notBefore: number
  readonly notAfter: number
  /** The SubjectPublicKeyInfo in DER. */
  readonly publicKey: Bytes
  /** The content of each extension in DER, by the digits of its object identifier. */
  readonly extensions: ReadonlyMap<string, Bytes>
  /** Extensions that must be understood. */
  readonly critical: readonly string[]
}

/**
 * Reads a certificate in DER.
 *
 * @throws Error for anything else.
 */
export function readCertificate(der: Bytes): Certificate {
  const whole = element(der, 0, SEQUENCE)
  if (whole.whole.length !== der.length) return fail()
  const [tbs = fail(), algorithm = fail(), signature = fail()] = elements(whole.content)
  const fields = elements(tbs.content)
  // The version is optional.
  const [, inside, issuer, validity, subject, publicKey, ...rest] =
    fields[0]?.tag === VERSION ? fields.slice(1) : fields
  // RFC 5280, section 4.1.1.2: both say the same.
  if (digitsOf(inside?.whole) !== digitsOf(algorithm.whole)) return fail()
  const [notBefore, notAfter] = elements((validity ?? fail()).content).map(readTime)
  if (notBefore === undefined || notAfter === undefined) return fail()
  const extensions = readExtensions(rest.find(({ tag }) => tag === EXTENSIONS))
  return {
    signed: tbs.whole,
    algorithm: digitsOf(elements(algorithm.content)[0]?.content),
    signature: bitsOf(signature),
    issuer: (issuer ?? fail()).whole,
    subject: (subject ?? fail()).whole,
    notBefore,
    notAfter,
    publicKey: (publicKey ?? fail()).whole,
    extensions: new Map(extensions.map(({ id, content }) => [id, content])),
    critical: extensions.filter(({ isCritical }) => isCritical).map(({ id }) => id),
  }
}

/** The two numbers of an ECDSA signature in DER (RFC 3279, section 2.2.3), of so many bytes each, one behind the other. */
export function readEcdsa(der: Bytes, size: number): Bytes {
  const whole = element(der, 0, SEQUENCE)
  const numbers = elements(whole.content)
  if (whole.whole.length !== der.length || numbers.length !== 2) return fail()
  const raw = new Uint8Array(2 * size)
  for (const [index, { tag, content }] of numbers.entries()) {
    const digits = content[0] === 0 ? content.subarray(1) : content
    if (tag !== INTEGER || content.length === 0 || digits.length > size) return fail()
    raw.set(digits, (index + 1) * size - digits.length)
  }
  return raw
}

/** Whether the extension "basic constraints" (RFC 5280, section 4.2.1.9) says that this is an authority, which may sign others. */
export function isAuthority({ extensions }: Certificate): boolean {
  const constraints = extensions.get(BASIC_CONSTRAINTS)
  const [first] = constraints ? elements(element(constraints, 0, SEQUENCE).content) : []
  return first?.tag === BOOLEAN && first.content.length === 1 && first.content[0] === 0xff
}

interface Element {
  readonly tag: number
  readonly content: Bytes
  readonly whole: Bytes
}

const [BOOLEAN, INTEGER, BITS, OCTETS, UTC_TIME, SEQUENCE] = [0x01, 0x02, 0x03, 0x04, 0x17, 0x30]
const [VERSION, EXTENSIONS] = [0xa0, 0xa3]
const BASIC_CONSTRAINTS = '551d13'

/** One element (X.690, section 8.1), with its length in the one form that DER has for it. */
function element(der: Bytes, start: number, wanted?: number): Element {
  const tag = der[start] ?? fail()
  const first = der[start + 1] ?? fail()
  const more = first > 0x80 ? first - 0x80 : 0
  if (first === 0x80 || more > 3 || (wanted !== undefined && tag !== wanted)) return fail()
  const digits = der.subarray(start + 2, start + 2 + more)
  const length = more === 0 ? first : digits.reduce((sum, digit) => sum * 256 + digit, 0)
  const from = start + 2 + more
  if (from + length > der.length || (more > 0 && (digits[0] === 0 || length < 0x80))) return fail()
  return { tag, content: der.slice(from, from + length), whole: der.slice(start, from + length) }
}

function elements(der: Bytes): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < der.length; ) {
    const next = element(der, at)
    found.push(next)
    at += next.whole.length
  }
  return found
}

/** The extensions, of which none may be there twice (RFC 5280, section 4.2). */
function readExtensions(
  field: Element | undefined,
): readonly { readonly id: string; readonly isCritical: boolean; readonly content: Bytes }[] {
  if (!field) return []
  const found = elements(element(field.content, 0, SEQUENCE).content).map(({ content }) => {
    const parts = elements(content)
    const [id, second] = parts
    const last = parts.at(-1)
    if (last?.tag !== OCTETS) return fail()
    return { id: digitsOf(id?.content), isCritical: second?.tag === BOOLEAN, content: last.content }
  })
  return new Set(found.map(({ id }) => id)).size === found.length ? found : fail()
}

/** The bytes of a bit string that has no part of a byte. */
function bitsOf({ tag, content }: Element): Bytes {
  return tag === BITS && content[0] === 0 ? content.slice(1) : fail()
}

function digitsOf(bytes: Bytes | undefined): string {
  return bytes ? hexadecimal(bytes) : fail()
}

function readTime({ tag, content }: Element): number {
  const digits = String.fromCharCode(...content)
  const year = tag === UTC_TIME ? `${Number(digits.slice(0, 2)) < 50 ? 20 : 19}${digits}` : digits
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year) ?? fail()
  const [, y, month, day, hour, minute, second] = parts
  return Date.parse(`${y}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

function fail(): never {
  throw new Error('its DER is invalid')
}
