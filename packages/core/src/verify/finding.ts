import type { Scheme } from './scheme.ts'

/** One possible cause of a signature that does not match. */
export interface Finding {
  /** What it is: docs/reference/diagnosis-codes.md has a row for each code of `@webhook-receiver/diagnose`. */
  readonly code: string
  /** `'certain'` if a complete MAC is equal; `'possible'` if the request only looks like it. */
  readonly certainty: 'certain' | 'possible'
  /** What was found, in one sentence. Contains no secret, no signature and no part of the body. */
  readonly message: string
  /** What to do. */
  readonly fix: string
  /** The code of a second cause, if the signature only matches with both. */
  readonly also?: string
  /** The name of the secret that matched, if it has a name. */
  readonly secretName?: string
}

/** The findings, the most likely first. Never empty: if nothing matches, the one finding says so. */
export type Diagnosis = readonly [Finding, ...Finding[]]

/** Finds out why a signature does not match: `diagnose` of `@webhook-receiver/diagnose`. */
export type Diagnose = (input: {
  readonly headers: (name: string) => string | null | undefined
  /** The body, if it was read. */
  readonly body: Uint8Array | undefined
  readonly secrets: string | Readonly<Record<string, string>>
  readonly scheme?: Scheme | undefined
  /** The public URL, if the scheme signs it. */
  readonly url?: string | undefined
}) => Promise<Diagnosis>
