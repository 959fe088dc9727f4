import { actions } from './engine/actions.ts'
import { checkedScheme } from './engine/check.ts'
import { forms } from './engine/form.ts'
import { handshakes } from './engine/handshake.ts'
import { methods } from './engine/methods.ts'
import { privateKeys } from './engine/private-keys.ts'
import { rare } from './engine/rare.ts'
import { subscriptions } from './engine/subscriptions.ts'
import { urls } from './engine/urls.ts'
import type { KindOf } from './kind.ts'
import { type DefinedScheme, schemeOf } from './scheme.ts'
import type { SchemeValue } from './value.ts'

/**
 * Makes a scheme of a service from its description.
 *
 * @throws TypeError that names the property that is wrong.
 *
 * @example
 * const acme = defineScheme({
 *   name: 'acme',
 *   checked: '2026-11-23',
 *   signature: { header: 'acme-signature', encoding: 'hex' },
 *   keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
 *   signed: ['body'],
 * })
 */
export function defineScheme<const Value extends SchemeValue>(
  value: Value,
): DefinedScheme<KindOf<Value>> {
  const checked = checkedScheme(value) as Value
  return schemeOf(checked, {
    actions,
    forms,
    handshakes,
    methods,
    privateKeys,
    rare,
    subscriptions,
    urls,
  })
}
