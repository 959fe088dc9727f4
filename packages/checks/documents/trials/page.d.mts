export interface Trial {
  readonly framework: string
  readonly variation: string
  /** The oldest major version of Node that the section says; 0 where it says none. */
  readonly node: number
  readonly install: readonly string[]
  readonly file: string
  readonly code: string
  readonly settings: readonly { readonly file: string; readonly code: string }[]
  readonly start: string
  readonly valid: string
  readonly forged: string
}

export const FRAMEWORKS: readonly string[]

export function trialsOf(framework: string): readonly Trial[]
