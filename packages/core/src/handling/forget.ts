import { DEFAULT_ENDPOINT, ENDPOINT } from '../options.ts'
import { checkOptions, checkValue } from '../validate/check-options.ts'
import { stringRule } from '../validate/rule.ts'
import type { DeliveryStore } from './store.ts'
import { storeKeyOf } from './store-key.ts'

export interface ForgetOptions {
  /**
   * The option `endpoint` of the handler.
   * @default 'default'
   */
  readonly endpoint?: string | undefined
}

/**
 * Removes the done mark of a delivery from a store, so that the next copy of the delivery is handled again. Resolves to
 * false, and changes nothing, if there is no mark, also while the delivery is being handled.
 *
 * @param id The `id` in the body of the delivery.
 * @throws TypeError for an invalid id or option.
 *
 * @example
 * await forgetDelivery(store, '3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11')
 */
export async function forgetDelivery(
  store: Pick<DeliveryStore, 'forget'>,
  id: string,
  options: ForgetOptions = {},
): Promise<boolean> {
  const { endpoint } = checkOptions(options, OPTIONS, "{ endpoint: 'billing' }")
  return store.forget(await storeKeyOf(endpoint, checkValue('id', id, ID)))
}

const OPTIONS = { endpoint: [ENDPOINT, DEFAULT_ENDPOINT] } as const

const ID = stringRule('the id of a delivery, as in its body', /./s)
