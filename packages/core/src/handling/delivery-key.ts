import { checkDeliveryKey, type DeliveryKey } from '../store/key.ts'
import type { Verification } from '../verification.ts'
import { requireDecided } from '../verify/duplicates.ts'
import { chosenKey, isIdTheKey } from '../verify/key.ts'
import type { ParsedDelivery } from '../verify/scheme.ts'
import type { ResolvedHandlingOptions } from './settings.ts'

/** What is known of a delivery besides its content. */
export interface Identified {
  readonly endpoint?: string | undefined
  readonly key?: string | undefined
  readonly unsigned?: Verification['unsigned'] | undefined
}

/**
 * What a delivery is remembered by, which may come without endpoint and key.
 *
 * @throws TypeError for a key of an unsigned id that nobody chose, and without one that could be made here.
 */
export function deliveryKeyOf(
  given: Identified,
  delivery: ParsedDelivery,
  settings: ResolvedHandlingOptions,
): DeliveryKey {
  requireDecided(given, settings.duplicates)
  const { endpoint } = given
  if (endpoint !== undefined || given.key !== undefined) return checkDeliveryKey(given)
  return { endpoint: settings.endpoint, key: keyFor(delivery, settings) }
}

/**
 * The key of a delivery that comes without one.
 *
 * @throws TypeError without a key that could be made here: nothing is acknowledged that cannot be told apart.
 */
function keyFor(
  delivery: ParsedDelivery,
  { scheme, duplicates }: Pick<ResolvedHandlingOptions, 'scheme' | 'duplicates'>,
): string {
  const own = () => {
    if (isIdTheKey(scheme) && duplicates !== 'body' && delivery.id) return delivery.id
    throw new TypeError(
      'The delivery comes without its key. Store `verification.endpoint` and `verification.key` with it, and pass both: ' +
        'handle(delivery, { endpoint, key }).',
    )
  }
  if (typeof duplicates !== 'function') return own()
  return chosenKey(duplicates, delivery, {
    get key() {
      return own()
    },
  })
}
