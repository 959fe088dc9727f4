/**
 * What a process has once, however many copies of this module it has loaded: a warning is then printed once, and
 * not once by the ES module and once by the CommonJS form. They may be of two releases: a state of another shape needs another name.
 */
/* @__NO_SIDE_EFFECTS__ */
export function processWide<State>(name: string, create: () => State): State {
  const key = Symbol.for(`@webhook-receiver/core.${name}`)
  // Only copies of this module put something there, and always the same under one name.
  const known = Reflect.get(globalThis, key) as State | undefined
  if (known !== undefined) return known
  const state = create()
  Reflect.defineProperty(globalThis, key, { value: state })
  return state
}
