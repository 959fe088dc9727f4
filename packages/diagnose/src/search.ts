import { MAC_BYTES, type MacKey, mac } from '@webhook-receiver/core/signature'
import type { Message } from './message-forms.ts'
import { OverBudget, type Pace } from './pace.ts'
import { type ReceivedDigest, TRUNCATED } from './signature-forms.ts'

/** The most MACs, of any hash, that one diagnosis computes. */
export const MAX_MACS = 4000

/** The most bytes that one diagnosis computes MACs over. */
export const MAX_MAC_BYTES: number = 256 * 1024 * 1024

/** The largest body that is tried in other forms, and the largest result of a decompression, in bytes. */
export const MAX_BODY = 1_048_576

/** The largest message that a MAC is computed over, in bytes: it is computed in one step. */
export const MAX_MESSAGE: number = 4 * 1024 * 1024

/** The cost of a MAC besides that of its bytes. */
const MAC_COST = 10_000

/** Computes MACs within the bounds, and compares them with the received digests. */
export interface Search {
  /**
   * Counts one more MAC over `bytes` bytes. Call it before the MAC is computed.
   * @throws OverBudget where a bound would be exceeded.
   */
  spend(bytes: number): Promise<void>
  /** The received digest that is equal to the MAC over the message. */
  match(secret: Uint8Array<ArrayBuffer>, message: Message): Promise<ReceivedDigest | undefined>
}

export function createSearch(digests: readonly ReceivedDigest[], pace: Pace): Search {
  const keys = new Map<Uint8Array, MacKey | Promise<MacKey>>()
  let macs = 0
  let total = 0

  function keyOf(secret: Uint8Array<ArrayBuffer>): MacKey | Promise<MacKey> {
    const key = keys.get(secret) ?? mac.importKey(secret)
    keys.set(secret, key)
    return key
  }

  return {
    async spend(bytes) {
      macs++
      total += bytes
      if (macs > MAX_MACS || total > MAX_MAC_BYTES) throw new OverBudget()
      await pace(MAC_COST + 500 * digests.length + 3 * bytes)
    },
    async match(secret, { prefix, body }) {
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
