import { mac } from '#mac'
import { Refusal } from './refusal.ts'
import type { SecretKey } from './secret.ts'

/**
 * Finds the secret under which `<timestamp>.<body>` has the received signature (contract, section 5).
 *
 * The MAC is computed for every secret, also behind a match, so that the time taken does not tell
 * which one matched. It covers the timestamp as sent and the body as received, and nothing decoded.
 *
 * @throws Refusal `signature_mismatch` (401).
 */
export async function matchSignature(
  keys: readonly SecretKey[],
  signature: Uint8Array,
  prefix: string,
  rawBody: Uint8Array,
): Promise<SecretKey> {
  let match: SecretKey | undefined
  for (const key of keys) {
    const expected = await mac.sign(key.key, prefix, rawBody)
    if (mac.equal(expected, signature)) match ??= key
  }
  if (match) return match
  throw new Refusal('signature_mismatch', { length: rawBody.length })
}
