import { isPromiseLike } from './timeout.ts'

/** What may be there at once. It is not waited for then: each `await` costs a delivery time. */
export type MaybeAsync<Value> = Value | Promise<Value>

/** What `next` makes of a value, at once if that is not a promise. */
export function thenMaybeAsync<Value, Result>(
  value: MaybeAsync<Value>,
  next: (value: Value) => MaybeAsync<Result>,
  failed?: (error: unknown) => MaybeAsync<Result>,
): MaybeAsync<Result> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next, failed) : next(value)
}

/** The values in their order, without a promise where none of them is one. */
export function allMaybeAsync<Value>(
  values: readonly MaybeAsync<Value>[],
): MaybeAsync<readonly Value[]> {
  return values.some(isPromiseLike) ? Promise.all(values) : (values as readonly Value[])
}
