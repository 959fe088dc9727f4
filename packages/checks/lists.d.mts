export const FRAMEWORKS: readonly string[]
export const EXAMPLES: readonly string[]
