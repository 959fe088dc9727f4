import { type Finding, MAC_BYTES, mac } from '@webhook-receiver/core/internal'
import type { ContractInput } from './contract-candidates.ts'
import { joined, sameBytes, utf8 } from './encodings.ts'
import { type Cause, finding } from './finding.ts'
import type { MacSearch } from './search.ts'
import { OTHER_HASH, type ReceivedDigest } from './signature-forms.ts'

/** The hashes of WebCrypto by the length of their digests. It has no MD5. */
const HASHES: Readonly<Record<number, string>> = { 20: 'SHA-1', 48: 'SHA-384', 64: 'SHA-512' }

/** A hash over the secret and the message one after the other, which is not an HMAC. */
const NOT_HMAC: Cause = {
  code: 'signature_not_hmac',
  what: 'is a plain SHA-256 over the secret and the message, and not an HMAC',
  fix: 'Make the sender sign with HMAC-SHA256, with the secret as the key.',
}
export const HASH_CAUSES: readonly Cause[] = [NOT_HMAC]

/** Tries the hashes that the length of a digest allows, over the message of the contract and over the body alone. */
export async function findOtherHash(
  digests: readonly ReceivedDigest[],
  input: ContractInput,
  search: MacSearch,
): Promise<Finding | undefined> {
  const messages = messagesOf(input)
  for (const { digest, form } of digests) {
    const hash = HASHES[digest.length]
    for (const [secretName, secret] of input.secrets) {
      const key = utf8(secret)
      for (const message of messages) {
        if (hash !== undefined) {
          await search.spend(message.length)
          if (!sameBytes(digest, await hmac(hash, key, message))) continue
          return finding([{ cause: OTHER_HASH }], 'certain', secretName)
        }
        if (digest.length !== MAC_BYTES) continue
        for (const row of [joined(key, message), joined(message, key)]) {
          await search.spend(row.length)
          if (!sameBytes(digest, await mac.sha256(row))) continue
          return finding([{ cause: NOT_HMAC }, form && { cause: form }], 'certain', secretName)
        }
      }
    }
  }
  return undefined
}

function messagesOf({ timestamp, body }: ContractInput): readonly Uint8Array<ArrayBuffer>[] {
  const alone = body.bytes.slice()
  return timestamp === undefined ? [alone] : [joined(utf8(`${timestamp}.`), alone), alone]
}

async function hmac(
  hash: string,
  key: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}
