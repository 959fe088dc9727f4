import type { Pace } from './pace.ts'

/** How many bytes are hashed in one step. */
const STEP = 65_536

/** Tells bodies apart that are written in different forms; not made to withstand anybody (FNV-1a). */
export async function markOf(bytes: Uint8Array, pace: Pace): Promise<string> {
  let hash = 0x811c9dc5
  for (let start = 0; start < bytes.length; start += STEP) {
    const end = Math.min(start + STEP, bytes.length)
    // The copies and encodings that made the bytes are paid for here as well.
    await pace((end - start) * 10)
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  }
  return `${bytes.length} ${hash}`
}
