export const LIMIT: number

export function largestT(
  times: Float64Array,
  classes: Uint8Array,
): { readonly t: number; readonly difference: number; readonly seen: number }
