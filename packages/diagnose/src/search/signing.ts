import type { Assumption } from '../forms/finding.ts'
import type { KeySource } from '../forms/secret-forms.ts'
import type { SignatureForm } from '../forms/signature-forms.ts'

export interface Part<Value> {
  readonly value: Value
  readonly assumption?: Assumption
}

/** How the signature of one request is computed and compared. */
export interface Signing<Key, Message> {
  /** `undefined` if there is no such key, or if it was imported before. */
  importKey(source: KeySource): Key | undefined | Promise<Key | undefined>
  /** The messages for a body as they should be. */
  plain(body: Uint8Array): readonly Part<Message>[]
  /** Messages in other forms; with `pairs` only the common ones, which are tried together with another cause. */
  others(body: Uint8Array, pairs: boolean): readonly Part<Message>[]
  /**
   * The form of the signature that was received, if it was made with the key over the message.
   * @throws OverBudget
   */
  match(key: Key, message: Message): Promise<{ readonly form?: SignatureForm } | undefined>
}
