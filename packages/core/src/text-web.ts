const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes as UTF-8 text, a byte order mark kept, and U+FFFD for what is malformed. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
