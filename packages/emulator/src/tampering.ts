import { randomBytes } from 'node:crypto'
import {
  type SignedDelivery,
  signDelivery,
  type WireDelivery,
} from '@webhook-receiver/core/testing'
import type { FaultPlan, Tampering } from './fault.ts'
import type { ResolvedOptions } from './resolved-options.ts'
import { writeTimestamp } from './timestamp.ts'

/** A new secret, in the form of the contract (section 2). */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`
}

/** Signs as the service does, at an offset of `skew` seconds from the clock. */
export function sign(
  secret: string,
  delivery: WireDelivery,
  { now, timestampForm }: Pick<ResolvedOptions, 'now' | 'timestampForm'>,
  skew = 0,
): Promise<SignedDelivery> {
  return signDelivery(secret, delivery, {
    timestamp: writeTimestamp(now() + skew * 1000, timestampForm),
  })
}

/** The copy that is sent before a genuine request. */
export async function tampered(
  fault: Tampering,
  { share }: FaultPlan,
  secret: string,
  delivery: WireDelivery,
  options: ResolvedOptions,
): Promise<SignedDelivery> {
  switch (fault) {
    case 'alter': {
      const { headers, body } = await sign(secret, delivery, options)
      return { headers, body: altered(body, share) }
    }
    case 'wrong-secret':
      return sign(newSecret(), delivery, options)
    case 'stale':
      return sign(secret, delivery, options, -options.faultSkew)
    case 'future':
      return sign(secret, delivery, options, options.faultSkew)
  }
}

/** Changes the case of one letter, so that the body keeps its length and remains text. */
function altered(body: Uint8Array<ArrayBuffer>, share: number): Uint8Array<ArrayBuffer> {
  const letters = [...body.keys()].filter((index) => isLetter(body[index]))
  const position = letters[Math.floor(share * letters.length)]
  return body.map((byte, index) => (index === position ? byte ^ 0x20 : byte))
}

function isLetter(byte = 0): boolean {
  const lower = byte | 0x20
  return byte < 0x80 && lower >= 0x61 && lower <= 0x7a
}
