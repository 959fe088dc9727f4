/** A question for a name that is misspelt, with a space behind it; empty where no known name is like it. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `
}

/** The known name that may have been meant: a third of it may be wrong. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let found: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const [one, other] = ends(name.toLowerCase(), candidate.toLowerCase())
    const steps = distance(one, other)
    // `reopened` is another event than `opened`, and no way to write it.
    if (steps > 1 && (one.endsWith(other) || other.endsWith(one))) continue
    if (steps >= fewest || steps > Math.max(one.length, other.length) / 3) continue
    fewest = steps
    found = candidate
  }
  return found
}

/** What is left of two names behind the words with which both begin: events such as `message.sent` and `message.read` are alike in those. */
function ends(one: string, other: string): readonly [string, string] {
  let from = 0
  for (const { index } of one.slice(0, 200).matchAll(/[._:/-]/g)) {
    if (one.slice(0, index + 1) === other.slice(0, index + 1)) from = index + 1
  }
  return [one.slice(from, from + 40), other.slice(from, from + 40)]
}

/** How many characters have to be changed, added, left out or put before the next (Damerau and Levenshtein). */
function distance(from: string, to: string): number {
  let before: readonly number[] = []
  let row = [...`${to} `].map((_, at) => at)
  for (const [line, character] of [...from].entries()) {
    const next = [line + 1]
    for (const [at, other] of [...to].entries()) {
      const isSwapped = character === to[at - 1] && from[line - 1] === other
      const change = (row[at] ?? 0) + (character === other ? 0 : 1)
      const swap = isSwapped ? (before[at - 1] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
