export interface Trial {
  readonly page: string
  readonly title: string
  readonly variation: string
  /** The oldest major version of Node that the page says; 0 where it says none. */
  readonly node: number
  readonly install: readonly string[]
  readonly file: string
  readonly code: string
  readonly settings: readonly { readonly file: string; readonly code: string }[]
  readonly start: string
  readonly genuine: string
  readonly forged: string
}

export const PAGES: readonly string[]

export function trialsOf(page: string): readonly Trial[]
