import type { Draft } from './draft.ts'

/** Where a secret is to be kept. */
export interface Place {
  readonly path: string
  /** What holds the secret until it is in its place, and where it remains if it never gets there. */
  readonly draft: Draft
  /** Brings the secret to its place, once the draft holds it. */
  fill(secret: string): Promise<void>
}
