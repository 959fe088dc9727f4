interface Entry<Value> {
  readonly key: string
  value: Value
  older: Entry<Value> | undefined
  younger: Entry<Value> | undefined
}

/**
 * A map that knows its oldest entry.
 *
 * The order is a list of its own. Asking a Map for its first key walks over everything that was deleted in
 * front, which makes a queue quadratic; and an iterator that is kept holds every table that the Map has
 * outgrown.
 */
export class AgingMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  #oldest: Entry<Value> | undefined
  #youngest: Entry<Value> | undefined

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  oldest(): readonly [key: string, value: Value] | undefined {
    return this.#oldest && [this.#oldest.key, this.#oldest.value]
  }

  /** Sets an entry and makes it the youngest. */
  set(key: string, value: Value): void {
    const found = this.#entries.get(key)
    if (found) this.#unlink(found)
    const entry = found ?? { key, value, older: undefined, younger: undefined }
    entry.value = value
    entry.older = this.#youngest
    if (this.#youngest) this.#youngest.younger = entry
    else this.#oldest = entry
    this.#youngest = entry
    this.#entries.set(key, entry)
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#unlink(entry)
    this.#entries.delete(key)
  }

  #unlink(entry: Entry<Value>): void {
    if (entry.older) entry.older.younger = entry.younger
    else this.#oldest = entry.younger
    if (entry.younger) entry.younger.older = entry.older
    else this.#youngest = entry.older
    entry.older = undefined
    entry.younger = undefined
  }
}
