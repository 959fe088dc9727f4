export interface Run {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** The largest table of the search, in cells: what differs more is one difference. */
const MAX_CELLS = 4_000_000

/** What has to be removed from one text, and added, to get another one; in words, numbers, whole signatures and single other characters. */
export function difference(one: string, two: string): readonly Run[] {
  const [first, second] = [one, two].map(
    (text) => text.match(/[\p{L}\d]{32,}|\p{L}+|\d+|[^\S\n]+|./gsu) ?? [],
  )
  if (!first || !second) return []
  let start = 0
  while (start < first.length && first[start] === second[start]) start += 1
  let end = 0
  const shorter = Math.min(first.length, second.length)
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1
  const [removed, added] = [first, second].map((parts) => parts.slice(start, parts.length - end))
  const runs: Run[] = []
  push(runs, 'same', first.slice(0, start).join(''))
  for (const { kind, text } of middle(removed ?? [], added ?? [])) push(runs, kind, text)
  push(runs, 'same', first.slice(first.length - end).join(''))
  return runs
}

/** The longest common subsequence, by the table of its lengths. */
function* middle(removed: readonly string[], added: readonly string[]): Generator<Run> {
  const width = added.length + 1
  if (width * (removed.length + 1) > MAX_CELLS) {
    yield { kind: 'removed', text: removed.join('') }
    yield { kind: 'added', text: added.join('') }
    return
  }
  const lengths = new Uint16Array(width * (removed.length + 1))
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = removed.length - 1; row >= 0; row--) {
    for (let column = added.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        removed[row] === added[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  let [row, column] = [0, 0]
  while (row < removed.length || column < added.length) {
    const [gone = '', come = ''] = [removed[row], added[column]]
    if (row < removed.length && column < added.length && gone === come) {
      yield { kind: 'same', text: gone }
      row += 1
      column += 1
    } else if (
      column >= added.length ||
      (row < removed.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      yield { kind: 'removed', text: gone }
      row += 1
    } else {
      yield { kind: 'added', text: come }
      column += 1
    }
  }
}

function push(runs: Run[], kind: Run['kind'], text: string): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + text }
  else runs.push({ kind, text })
}
