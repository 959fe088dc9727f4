/** What may be there at once. It is not waited for then: each `await` costs a delivery time. */
export type MaybeAsync<Value> = Value | Promise<Value>

/** What `next` makes of a value, at once if that is not a promise. */
export function thenMaybeAsync<Value, Result>(
  value: MaybeAsync<Value>,
  next: (value: Value) => MaybeAsync<Result>,
): MaybeAsync<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The values in their order, without a promise where none of them is one. */
export function allMaybeAsync<Value>(
  values: readonly MaybeAsync<Value>[],
): MaybeAsync<readonly Value[]> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values)
    : (values as readonly Value[])
}
