import type { Encoding, KeyForm } from '../value.ts'
import type { Actions } from './actions.ts'
import type { Forms } from './form.ts'
import type { Handshakes } from './handshake.ts'
import type { Method, Methods } from './method.ts'
import type { PrivateKeys } from './private-keys.ts'
import type { Rare } from './rare.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Urls } from './urls.ts'

/** What only some services need. Their values name it, so that a bundle for the others does not hold it. */
export interface Extras {
  readonly actions?: Actions | undefined
  readonly forms?: Forms | undefined
  readonly handshakes?: Handshakes | undefined
  readonly methods?: Methods | undefined
  readonly privateKeys?: PrivateKeys | undefined
  /** In place of those that verify, for a diagnosis. */
  readonly methodOf?: ((key: KeyForm, encoding: Encoding) => Method) | undefined
  readonly rare?: Rare | undefined
  readonly subscriptions?: Subscriptions | undefined
  readonly urls?: Urls | undefined
}
