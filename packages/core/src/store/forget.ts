import { checkValue } from '../validate/check-options.ts'
import { isRecord } from '../validate/record.ts'
import { madeRule, rule } from '../validate/rule.ts'
import { checkDeliveryKey, type DeliveryKey, storeKeyOf } from './key.ts'
import type { DeliveryStore } from './store.ts'

/**
 * Removes the done mark of a delivery from a store, so that the next copy of the delivery is handled again. Resolves to
 * false, and changes nothing, if there is no mark, also while the delivery is being handled.
 *
 * @param delivery Its `verification`, or the `endpoint` and `key` of that. The endpoint is 'default' if the handler names none, and has
 * the default format.
 * @throws TypeError for anything else.
 *
 * @example
 * await forgetDelivery(store, { endpoint: 'stripe', key: 'evt_1MqqbKLt4dXK03v5qaIbiNCC' })
 */
export async function forgetDelivery(
  store: Pick<DeliveryStore, 'forget'>,
  delivery: DeliveryKey,
): Promise<boolean> {
  checkValue('store', store, STORE)
  return store.forget(await storeKeyOf(checkDeliveryKey(delivery)))
}

const STORE = madeRule(
  'store',
  rule<Pick<DeliveryStore, 'forget'>>(
    'a store with the method forget, such as memoryStore()',
    (value) => isRecord(value) && typeof value.forget === 'function',
  ),
)
