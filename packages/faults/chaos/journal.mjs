import { existsSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Facts that a process writes down as they happen. Each is in the hands of the kernel before the next
 * statement runs, so that none is lost when the process is killed.
 */
export function openJournal(path) {
  const file = openSync(path, 'a')
  return (fact) => {
    writeSync(file, `${JSON.stringify(fact)}\n`)
  }
}

export function readJournal(path) {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
