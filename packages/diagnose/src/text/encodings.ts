const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Bytes as text, a byte order mark included. @throws TypeError where they are not UTF-8. */
export function strictTextOf(bytes: Uint8Array): string {
  return strict.decode(bytes)
}

/** Bytes as text, with U+FFFD for what is not UTF-8. */
export function lossyTextOf(bytes: Uint8Array): string {
  return lossy.decode(bytes)
}

/** Each byte as the character of that number; for some thousand bytes at most. */
export function latin1TextOf(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes)
}

/** Each character as the byte of that number; `undefined` where one is above 255. */
export function latin1(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0xff) return undefined
    bytes[at] = code
  }
  return bytes
}

/** Reads base64 and base64url (RFC 4648), padded or not. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined
  try {
    return latin1(atob(text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')))
  } catch {
    return undefined
  }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
