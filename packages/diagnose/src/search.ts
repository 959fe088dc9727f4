import { MAC_BYTES, type MacKey, mac } from '@webhook-receiver/core/internal'
import type { Message } from './message-forms.ts'
import { OverBudget, type Pace } from './pace.ts'
import { type ReceivedDigest, type SignatureForm, TRUNCATED } from './signature-forms.ts'

/** The most MACs, of any hash, that one diagnosis computes. */
export const MAX_MACS = 4000

/** The most bytes that one diagnosis computes MACs over. */
export const MAX_MAC_BYTES: number = 256 * 1024 * 1024

/** The largest body that is tried in other forms, and the largest result of a decompression, in bytes. */
export const MAX_BODY = 1_048_576

/** The largest message that a MAC is computed over, in bytes: it is computed in one step. */
export const MAX_MESSAGE: number = 4 * 1024 * 1024

/** The cost of a MAC besides that of its bytes. */
export const MAC_COST = 10_000

/** Computes signatures within the bounds, and compares them with the received ones. */
export interface Search<Key, Message> {
  /**
   * Counts one more MAC over `bytes` bytes. Call it before the MAC is computed.
   * @throws OverBudget where a bound would be exceeded.
   */
  spend(bytes: number): Promise<void>
  /** The form of the signature that was received, if it was made with the key over the message. */
  match(key: Key, message: Message): Promise<{ readonly form?: SignatureForm } | undefined>
}

export type MacSearch = Search<Uint8Array<ArrayBuffer>, Message>

/** The method that counts MACs: `cost` is that of each, and `byteCost` that of each of its bytes. */
export function createSpend(pace: Pace, cost: number, byteCost: number): MacSearch['spend'] {
  let macs = 0
  let total = 0
  return async (bytes) => {
    macs++
    total += bytes
    if (macs > MAX_MACS || total > MAX_MAC_BYTES) throw new OverBudget()
    await pace(cost + byteCost * bytes)
  }
}

export function createSearch(digests: readonly ReceivedDigest[], pace: Pace): MacSearch {
  const keys = new Map<Uint8Array, MacKey | Promise<MacKey>>()
  const spend = createSpend(pace, MAC_COST + 500 * digests.length, 3)

  function keyOf(secret: Uint8Array<ArrayBuffer>): MacKey | Promise<MacKey> {
    const key = keys.get(secret) ?? mac.importKey(secret)
    keys.set(secret, key)
    return key
  }

  return {
    spend,
    async match(secret, { prefix, body }) {
      await spend(prefix.length + body.length)
      const key = await keyOf(secret)
      const value = await mac.sign(key, prefix, body)
      return digests.find(({ digest, form }) =>
        form === TRUNCATED
          ? mac.equal(padded(value.subarray(0, digest.length)), padded(digest))
          : digest.length === MAC_BYTES && mac.equal(value, digest),
      )
    },
  }
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(MAC_BYTES)
  whole.set(bytes.subarray(0, MAC_BYTES))
  return whole
}
