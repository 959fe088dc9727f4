import { DEFAULT_ENDPOINT, ENDPOINT } from '../options.ts'
import { checkOptions, checkValue } from '../validate/check-options.ts'
import { KEY, storeKeyOf } from './key.ts'
import type { DeliveryStore } from './store.ts'

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
 * @param key The `verification.key` of the delivery, which is its `id` if that is signed.
 * @throws TypeError for an invalid key or option.
 *
 * @example
 * await forgetDelivery(store, '3f0c9a52-8d5e-4c0e-9a34-5f9d3f4f0d11')
 */
export async function forgetDelivery(
  store: Pick<DeliveryStore, 'forget'>,
  key: string,
  options: ForgetOptions = {},
): Promise<boolean> {
  const { endpoint } = checkOptions(options, OPTIONS, "{ endpoint: 'billing' }")
  return store.forget(await storeKeyOf(endpoint, checkValue('key', key, KEY)))
}

const OPTIONS = { endpoint: [ENDPOINT, DEFAULT_ENDPOINT] } as const
