/**
 * Makes `instanceof` hold for each copy of a class that a process has loaded: one application may load the ES module
 * and the CommonJS form of a package, and Jest loads a copy for each test file.
 *
 * A subclass inherits the test and is still told by its prototypes alone. The test never throws, whatever it is given.
 *
 * @param name the same for every copy, and for no other class.
 */
export function brand(Class: abstract new (...args: never) => object, name: string): void {
  const mark = Symbol.for(name)
  Object.defineProperty(Class.prototype, mark, { value: true })
  Object.defineProperty(Class, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      try {
        if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
      } catch {
        // A proxy or a getter of somebody else, which is not an instance of ours.
        return false
      }
      return this === Class && isMarked(value, mark)
    },
  })
}

function isMarked(value: unknown, mark: symbol): boolean {
  return markOf(value, mark) === true
}

/** What an object has under a mark. Never throws, although looking at an object may. */
export function markOf(value: unknown, mark: symbol): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, mark) : undefined
  } catch {
    return undefined
  }
}
