/** What can be in one list at a time. */
export interface Aging<Entry> {
  older: Entry | undefined
  younger: Entry | undefined
}

/**
 * Entries in the order in which they were added.
 *
 * Asking a Map for its first key walks over everything that was deleted in front, which makes a queue quadratic; and an
 * iterator that is kept holds every table that the Map has outgrown.
 */
export class AgingList<Entry extends Aging<Entry>> {
  oldest: Entry | undefined
  #youngest: Entry | undefined

  add(entry: Entry): void {
    entry.older = this.#youngest
    if (this.#youngest) this.#youngest.younger = entry
    else this.oldest = entry
    this.#youngest = entry
  }

  remove(entry: Entry): void {
    if (entry.older) entry.older.younger = entry.younger
    else this.oldest = entry.younger
    if (entry.younger) entry.younger.older = entry.older
    else this.#youngest = entry.older
    entry.older = undefined
    entry.younger = undefined
  }
}
