export interface Deviation {
  readonly where: string
  readonly what: string
  readonly saw: string
  readonly why: string
}

export function mergeExamples(
  text: string,
  rows: readonly (readonly string[])[],
  deviations: readonly Deviation[],
  date: string,
): string
