import { mac } from '#mac'
import { MAC_BYTES, type MacKey } from '../mac.ts'
import type { Message } from './message-forms.ts'
import { type Claim, TRUNCATED } from './signature-forms.ts'

/** The most MACs, of any hash, that one diagnosis computes. */
export const MAX_MACS = 4000

/** The most bytes that one diagnosis computes MACs over. */
export const MAX_MAC_BYTES: number = 256 * 1024 * 1024

/** The largest body that is written in other forms, in bytes, and the most that one is inflated to. */
export const MAX_BODY = 1_048_576

/** After how many bytes, written or computed over, other work gets its turn. */
const BREATH = 256 * 1024

/** Computes MACs within the bounds, and compares them with what was received. */
export interface Search {
  /** Whether one more MAC over so many bytes is within the bounds; counts it. */
  spend(bytes: number): Promise<boolean>
  /** The claims that the MAC over the message agrees with. */
  fits(secret: Uint8Array<ArrayBuffer>, message: Message): Promise<Claim | undefined>
}

export function createSearch(claims: readonly Claim[]): Search {
  const keys = new Map<Uint8Array, MacKey | Promise<MacKey>>()
  let macs = 0
  let total = 0
  const breathe = breathing()

  function keyOf(secret: Uint8Array<ArrayBuffer>): MacKey | Promise<MacKey> {
    const key = keys.get(secret) ?? mac.importKey(secret)
    keys.set(secret, key)
    return key
  }

  return {
    async spend(bytes) {
      if (macs >= MAX_MACS || total + bytes > MAX_MAC_BYTES) return false
      macs++
      total += bytes
      await breathe(bytes)
      return true
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

/** Lets other work have its turn when so many bytes were dealt with that it would wait too long. */
export function breathing(): (bytes: number) => Promise<void> {
  let dealt = 0
  return async (bytes) => {
    dealt += bytes
    if (dealt <= BREATH) return
    dealt = 0
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
  }
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(MAC_BYTES)
  whole.set(bytes.subarray(0, MAC_BYTES))
  return whole
}
