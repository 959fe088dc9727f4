/** The values in their order, without a promise where none of them is one: each `await` costs a delivery time. */
export function allMaybeAsync<Value>(
  values: readonly (Value | Promise<Value>)[],
): readonly Value[] | Promise<readonly Value[]> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values)
    : (values as readonly Value[])
}
