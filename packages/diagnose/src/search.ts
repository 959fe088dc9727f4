import { MAC_BYTES, type MacKey, mac } from '@webhook-receiver/core/signature'
import type { Message } from './message-forms.ts'
import { Exhausted, type Pace } from './pace.ts'
import { type Claim, TRUNCATED } from './signature-forms.ts'

/** The most MACs, of any hash, that one diagnosis computes. */
export const MAX_MACS = 4000

/** The most bytes that one diagnosis computes MACs over. */
export const MAX_MAC_BYTES: number = 256 * 1024 * 1024

/** The largest body that is written in other forms, in bytes, and the most that one is inflated to. */
export const MAX_BODY = 1_048_576

/** The largest message that a MAC is computed over, in bytes: it is computed in one step. */
export const MAX_MESSAGE: number = 4 * 1024 * 1024

/** What a MAC costs beside its bytes, and what comparing it with one claim costs. */
const MAC_COST = 10_000

/** Computes MACs within the bounds, and compares them with what was received. */
export interface Search {
  /**
   * Counts one more MAC over so many bytes, which is computed next.
   * @throws Exhausted where it is not within the bounds.
   */
  spend(bytes: number): Promise<void>
  /** The claims that the MAC over the message agrees with. */
  fits(secret: Uint8Array<ArrayBuffer>, message: Message): Promise<Claim | undefined>
}

export function createSearch(claims: readonly Claim[], pace: Pace): Search {
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
      if (macs > MAX_MACS || total > MAX_MAC_BYTES) throw new Exhausted()
      await pace(MAC_COST + 500 * claims.length + 3 * bytes)
    },
    async fits(secret, { prefix, body }) {
      const key = await keyOf(secret)
      const value = await mac.sign(key, prefix, body)
      return claims.find(({ digest, form }) =>
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
