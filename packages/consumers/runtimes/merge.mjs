import { editTable } from '../edit-table.mjs'

/**
 * Puts new results of some examples into the record of a whole run, in place of theirs.
 *
 * @param {string} text the record, which `--write` wrote.
 * @param {readonly (readonly string[])[]} rows of the examples: link, runtime and count.
 * @param {readonly { where: string, what: string, saw: string, why: string }[]} deviations of these examples alone.
 * @param {string} date of their run.
 */
export function mergeExamples(text, rows, deviations, date) {
  const links = rows.map(([link]) => link)
  const names = links.map((link) => /\[(.*?)\]/.exec(link)[1])
  const withRows = editTable(text, EXAMPLES, (old) => [
    ...old.filter(([link]) => !links.includes(link)),
    ...rows,
  ])
  const withDeviations = editTable(withRows, DIFFERENCES, (old) => {
    const kept = old
      .map(([where, ...rest]) => [without(where, names), ...rest])
      .filter(([where]) => where !== '')
    for (const { where, what, saw, why } of deviations) {
      const same = kept.find((row) => row.slice(1).join('|') === [what, saw, why].join('|'))
      if (same) same[0] += `, ${where}`
      else kept.push([where, what, saw, why])
    }
    return kept
  })
  // A line for each example that is newer than the rest.
  const [above, below] = withDeviations.split(WHAT_RAN)
  const lines = above
    .split('\n')
    .filter((line) => !names.some((name) => line.startsWith(`${name} was`)))
  const notes = names.map((name) => `${name} was run by itself on ${date}.`)
  const gap = / was run by itself/.test(lines.at(-1)) ? [] : ['']
  return [...lines, ...gap, ...notes].join('\n') + WHAT_RAN + below
}

const WHAT_RAN = '\n\n## What ran\n'
const EXAMPLES = ['example', 'on', 'vectors']
const DIFFERENCES = ['where', 'test or vector', 'seen', 'why']

function without(where, names) {
  return where
    .split(', ')
    .filter((each) => !names.includes(each))
    .join(', ')
}
