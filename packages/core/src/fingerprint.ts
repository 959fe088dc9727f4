import { mac } from '#mac'
import { hexadecimal } from './hexadecimal.ts'
import type { SecretFingerprint } from './hooks.ts'
import type { SecretKey } from './secret.ts'

/** A secret as it may be shown: its name, and the first 8 hexadecimal digits of its SHA-256. */
export async function fingerprintOf({ name, reveal }: SecretKey): Promise<SecretFingerprint> {
  const digest = await mac.sha256(new TextEncoder().encode(reveal()))
  return { name, fingerprint: hexadecimal(digest.subarray(0, 4)) }
}
