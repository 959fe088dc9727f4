/**
 * Bytes as UTF-8 text, a byte order mark kept, and U+FFFD for what is malformed. On Node up to 3 times as
 * fast as a TextDecoder.
 */
export function textOf(bytes: Uint8Array): string {
  const buffer =
    bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString()
}
