/** A question for a name that is misspelt, with a space behind it; empty where no known name is like it. */
export function suggestion(name: string, known: readonly string[]): string {
  const most = Math.min(3, Math.ceil(name.length / 3))
  const near = known
    .map((candidate) => [distance(name.toLowerCase(), candidate.toLowerCase()), candidate] as const)
    .filter(([steps]) => steps <= most)
    .sort(([one], [other]) => one - other)
  const [first] = near
  return first ? `Did you mean ${JSON.stringify(first[1])}? ` : ''
}

/** How many characters have to be changed, added or left out (Levenshtein), of the first 40. */
export function distance(from: string, to: string): number {
  const target = to.slice(0, 40)
  let row = [...`${target} `].map((_, at) => at)
  for (const [line, character] of [...from.slice(0, 40)].entries()) {
    const next = [line + 1]
    for (const [at, other] of [...target].entries()) {
      const change = (row[at] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
