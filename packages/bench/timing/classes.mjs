import { createHmac } from 'node:crypto'
import { seeded } from '@webhook-receiver/tools/random.mjs'

/** How many bytes of a digest the two classes fix; the other half is random in both. */
const PREFIX = 16
const DIGEST = 32

/**
 * What a run forges: one delivery, the digest it should have, and digests that begin like that one (class 1)
 * or not (class 0) and go on at random, in an order that is random too.
 *
 * Both classes fix their first half and both are made anew for each sample, by the same statements. Were one
 * class a constant and the other random, caches, branch predictors and string tables would tell them apart.
 *
 * @param {number} seed
 * @param {boolean} obvious whether class 0 is random as a whole, to show what that accuses
 */
export function forger(seed, obvious) {
  const random = seeded(seed)
  const delivery = chooseDelivery(random)
  const right = delivery.digest.toString('hex').slice(0, 2 * PREFIX)
  // Side by side in one buffer: as two strings, one of them a slice, they alone would tell the classes apart.
  const prefixes = Buffer.from(otherDigits(right, random) + right, 'latin1')
  const hex = Buffer.alloc(2 * DIGEST)

  return {
    delivery,
    /** 0 or 1, at random. */
    class: () => Math.floor(2 * random()),
    /**
     * 64 digits of a class, as bytes of text. They are the same memory each time.
     * @param {0 | 1} which
     */
    digits(which) {
      const fixed = obvious && which === 0 ? 0 : 2 * PREFIX
      for (let at = 0; at < fixed; at++) hex[at] = prefixes[which * 2 * PREFIX + at]
      for (let at = fixed; at < hex.length; at++) hex[at] = DIGITS.charCodeAt(random() * 16)
      return hex
    },
  }
}

const DIGITS = '0123456789abcdef'

/** A delivery whose digest does not begin with 0, so that the first digit of the wrong one can be another. */
function chooseDelivery(random) {
  const secret = 'whsec_timing'
  const timestamp = '1764000000'
  for (;;) {
    const body = Buffer.from(JSON.stringify({ nonce: random() }))
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
    if (digest[0] >= 16) return { secret, timestamp, body, digest }
  }
}

/**
 * Other digits at each place, of the same kind: 1 to 9 stay such, letters stay letters, and 0 stays.
 *
 * To read digits may take a time that depends on their kind. They are the sender's own, so that tells
 * nothing of the secret; but it would tell the two classes apart.
 */
function otherDigits(digits, random) {
  return digits.replace(/[1-9a-f]/g, (digit) => {
    const kind = (digit < 'a' ? '123456789' : 'abcdef').replace(digit, '')
    return kind[Math.floor(random() * kind.length)]
  })
}
