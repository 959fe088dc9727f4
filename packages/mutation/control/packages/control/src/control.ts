/** Looked at: a change is found. */
export function sum(a: number, b: number): number {
  return a + b
}

/** Called, and not looked at: a change survives, whatever the test does to its clock. */
export function product(a: number, b: number): number {
  return a * b
}

/** Without its end it hangs. */
export function steps(limit: number): number {
  let count = 0
  while (count < limit) count += 1
  return count
}

/** With another step it never meets its end; the change is in front of the loop, not in it. */
export function countdown(from: number): number {
  const step = 3 - 2
  let left = from
  while (left !== 0) left -= step
  return left
}

/** Looked at by a test that another has broken by then. */
export function triple(a: number): number {
  return a * 3
}

/** Never called. */
export function difference(a: number, b: number): number {
  return a - b
}

/** Found when the module is loaded, before any test. */
export const TWO = 1 + 1
