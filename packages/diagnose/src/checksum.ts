import type { Pace } from './pace.ts'

/** How many bytes are hashed in one step. */
const STEP = 65_536

/** Tells different forms of a body apart (FNV-1a). Not cryptographic: a collision only hides a form. */
export async function checksumOf(bytes: Uint8Array, pace: Pace): Promise<string> {
  let hash = 0x811c9dc5
  for (let start = 0; start < bytes.length; start += STEP) {
    const end = Math.min(start + STEP, bytes.length)
    // This includes the cost of the copies and encodings that made the bytes.
    await pace((end - start) * 10)
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  }
  return `${bytes.length} ${hash}`
}
