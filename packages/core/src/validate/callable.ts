/** Whether calling a value does its work. */
export function isCallable(value: unknown): value is (...values: never[]) => unknown {
  return typeof value === 'function' && uncallable(value) === undefined
}

export function isAsync(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

/** A function that does not do its work when it is called: a generator returns an iterator, and a class throws. */
export function uncallable(value: object): string | undefined {
  if (/Generator/.test(Object.prototype.toString.call(value))) return 'a generator function'
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
    ? 'a class'
    : undefined
}
