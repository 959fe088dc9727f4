import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The columns of the table, with the mutants that each counts. */
const COLUMNS = {
  killed: ({ status }) => status === 'Killed',
  timeout: ({ status }) => status === 'Timeout',
  survived: ({ status }) => status === 'Survived',
  'no coverage': ({ status }) => status === 'NoCoverage',
  constant: ({ status, statusReason }) => status === 'Ignored' && isStatic(statusReason),
  text: ({ status, statusReason }) => status === 'Ignored' && !isStatic(statusReason),
  error: ({ status }) => status === 'RuntimeError',
}

export const HEAD = ['package', ...Object.keys(COLUMNS), 'score']

export function row(name, mutants) {
  const counts = Object.keys(COLUMNS).map((column) => String(count(mutants, column)))
  return [name, ...counts, `${score(mutants).toFixed(1)} %`]
}

/** The name of a mutant's column; undefined if it is not in the sample. */
export function outcomeOf(mutant) {
  return Object.keys(COLUMNS).find((column) => COLUMNS[column](mutant))
}

/** The percentage that was detected of the mutants that were tried or that no test reaches. */
export function score(mutants) {
  const detected = count(mutants, 'killed') + count(mutants, 'timeout')
  const all = detected + count(mutants, 'survived') + count(mutants, 'no coverage')
  return all === 0 ? 100 : (100 * detected) / all
}

/** A line for each mutant that no test detected. */
export function survivors(mutants) {
  return mutants
    .filter((mutant) => /^(survived|no coverage)$/.test(outcomeOf(mutant)))
    .map((mutant) => {
      const { fileName, location, mutatorName, replacement } = mutant
      const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 90)
      const place = `${relative('', fileName)}:${location.start.line}`
      return `${place} ${outcomeOf(mutant)}, ${mutatorName}: ${short(originalOf(mutant))} → ${short(replacement)}`
    })
}

/** The source text that a mutant replaces. */
export function originalOf({ fileName, location: { start, end } }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}

function isStatic(reason) {
  return reason.startsWith('Static mutant')
}

function count(mutants, column) {
  return mutants.filter(COLUMNS[column]).length
}
