import { existsSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Facts that a process writes down as they happen. The kernel has each before the next statement runs, so that none is
 * lost when the process is killed.
 */
export function openJournal(path) {
  const file = openSync(path, 'a')
  return (fact) => {
    writeSync(file, `${JSON.stringify(fact)}\n`)
  }
}

export function readJournal(path) {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
