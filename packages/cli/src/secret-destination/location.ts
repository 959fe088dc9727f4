import type { Draft } from './draft.ts'

/** Where a secret will be stored. */
export interface SecretLocation {
  readonly path: string
  /** Holds the secret until it is in its place, or for good if that fails. */
  readonly draft: Draft
  /** Brings the secret to its location, once the draft holds it. */
  moveInPlace(secret: string): Promise<void>
}
