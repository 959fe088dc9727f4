import { mac } from '#mac'
import type { SecretFingerprint } from '../reject/reasons.ts'
import { hexadecimal } from './hexadecimal.ts'
import type { SecretKey } from './secret.ts'

const made = new WeakMap<SecretKey, Promise<SecretFingerprint>>()

/** A secret as it may be shown: its name, and the first 8 hexadecimal digits of its SHA-256. Made once for each. */
export function fingerprintOf(key: SecretKey): Promise<SecretFingerprint> {
  const known = made.get(key)
  if (known) return known
  const making = fingerprint(key)
  made.set(key, making)
  return making
}

async function fingerprint({ name, reveal }: SecretKey): Promise<SecretFingerprint> {
  const digest = await mac.sha256(new TextEncoder().encode(reveal()))
  return { name, fingerprint: hexadecimal(digest.subarray(0, 4)) }
}
