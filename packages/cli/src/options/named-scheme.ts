import type { Scheme } from '@webhook-receiver/core'

/** A scheme with the name under which a package exports it. */
export interface NamedScheme {
  readonly exported: string
  /** The package; `undefined` for a module of the user. */
  readonly from?: string | undefined
  readonly scheme: Scheme
}
