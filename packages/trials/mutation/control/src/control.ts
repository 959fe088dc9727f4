/** Tested: a change is found. */
export function sum(a: number, b: number): number {
  return a + b
}

/** Called, but the test ignores its result: a change survives. */
export function product(a: number, b: number): number {
  return a * b
}

/** Without its end it loops forever. */
export function steps(limit: number): number {
  let count = 0
  while (count < limit) count += 1
  return count
}

/** With another step it loops forever. Nothing in the loop is changed, so only the time limit of a mutant ends it. */
export function countdown(from: number): number {
  const step = 3 - 2
  let left = from
  // Stryker disable all
  while (left !== 0) left -= step
  // Stryker restore all
  return left
}

/** Never called. */
export function difference(a: number, b: number): number {
  return a - b
}

/** The text of an error: not changed. */
export function fail(): never {
  throw new TypeError('It fails.')
}

/** Computed when the module is loaded. */
export const TWO = 1 + 1
