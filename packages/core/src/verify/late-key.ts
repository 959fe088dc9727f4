/** A key, or what makes it. */
export type LateKey = string | (() => string)

/** A constructor whose `this` is an object that is there already, so that a subclass gives it private properties. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the object stays a plain one, which a class of its own would not be.
    return object
  }
}

/** Gives an object the property `key`, which is made when it is first read, and once. */
class WithKey extends Given {
  #key: LateKey

  constructor(object: object, key: () => string) {
    super(object)
    this.#key = key
    // Of each object, so that `{ ...verification }` and JSON have it too, and one for all: a getter for each object would take four times as long.
    Object.defineProperty(this, 'key', WithKey.#property)
  }

  static readonly #property: PropertyDescriptor & ThisType<WithKey> = {
    enumerable: true,
    get() {
      if (typeof this.#key !== 'string') this.#key = this.#key()
      return this.#key
    },
  }
}

/** The object, with a `key` that is made when it is first read. */
export function withLateKey<Others extends object>(
  object: Others,
  key: () => string,
): Others & { readonly key: string } {
  // It is the same object.
  return new WithKey(object, key) as object as Others & { readonly key: string }
}

/** The object, with the `key` of another, which is read when this one's is. */
export function withKeyOf<Others extends object, Owner extends { readonly key?: unknown }>(
  object: Others,
  owner: Owner,
): Others & { readonly key: Owner['key'] } {
  const property = { enumerable: true, get: () => owner.key }
  // It is the same object.
  return Object.defineProperty(object, 'key', property) as Others & { readonly key: Owner['key'] }
}
