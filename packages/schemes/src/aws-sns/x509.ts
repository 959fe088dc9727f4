import type { Bytes } from '../crypto/crypto.ts'
import { decode } from '../engine/encoding.ts'

/** What is used of a certificate (RFC 5280, section 4.1). Times are in milliseconds since the epoch. */
export interface Certificate {
  readonly notBefore: number
  readonly notAfter: number
  /** The SubjectPublicKeyInfo in DER. */
  readonly publicKey: Bytes
}

/** Reads a certificate in PEM. Who signed it is not looked at: it has to come from where it cannot be anyone's. */
export function readCertificate(pem: string): Certificate {
  const [, text = ''] =
    /^-----BEGIN CERTIFICATE-----([\w+/=\s]+)-----END CERTIFICATE-----\s*$/.exec(pem) ?? []
  const der = decode('base64', text.replaceAll(/\s/g, ''))
  if (!der?.length) throw new Error('it is not a certificate in PEM')
  const [tbs] = elements(element(der, 0, SEQUENCE).content)
  const fields = elements((tbs ?? fail()).content)
  // The version is optional.
  const [, , , validity, , publicKey] = fields[0]?.tag === VERSION ? fields.slice(1) : fields
  const [notBefore, notAfter] = elements((validity ?? fail()).content).map(readTime)
  if (notBefore === undefined || notAfter === undefined) return fail()
  return { notBefore, notAfter, publicKey: (publicKey ?? fail()).whole }
}

interface Element {
  readonly tag: number
  readonly content: Bytes
  readonly whole: Bytes
}

const SEQUENCE = 0x30
const VERSION = 0xa0
const UTC_TIME = 0x17

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
