import { createHmac } from 'node:crypto'
import { seeded } from '@webhook-receiver/trials/random.mjs'

/** How many bytes of a digest the two classes fix; the other half is random in both. */
const PREFIX = 16
const DIGEST = 32

/**
 * One delivery with its right digest, and forged digests: those of class 1 begin like the right one, those of
 * class 0 do not. The rest is random, and so is the order of the classes.
 *
 * Both classes have a fixed first half, and the same statements make each sample of both. If one class were
 * constant and the other random, caches, branch predictors and string tables would treat them differently.
 *
 * @param {number} seed
 * @param {boolean} obvious makes class 0 random as a whole, to show that this accuses constant-time code
 */
export function createForger(seed, obvious) {
  const random = seeded(seed)
  const delivery = chooseDelivery(random)
  const right = delivery.digest.toString('hex').slice(0, 2 * PREFIX)
  // In one buffer: as two strings, one of them a slice, they would make a difference themselves.
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
 * Another digit of the same kind at each place: 1 to 9, a letter, or 0. The time to read a digit may depend
 * on its kind. That says nothing about the secret, but it would be a difference between the classes.
 */
function otherDigits(digits, random) {
  return digits.replace(/[1-9a-f]/g, (digit) => {
    const kind = (digit < 'a' ? '123456789' : 'abcdef').replace(digit, '')
    return kind[Math.floor(random() * kind.length)]
  })
}
