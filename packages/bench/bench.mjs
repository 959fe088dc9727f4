// Measures the receiver and prints tables.
import { readFile, writeFile } from 'node:fs/promises'
import { terminalTable } from '@webhook-receiver/checks/table.mjs'
import { captionOf, describeMachine } from './machine.mjs'
import { readOptions } from './options.mjs'
import { withRuntimes } from './runtimes.mjs'

const { sections, lines, json, against, ...options } = readOptions()
const { figures: earlier = {} } = against ? JSON.parse(await readFile(against, 'utf8')) : {}
const results = {}
let machine
await withRuntimes(lines, async (runtimes) => {
  machine = describeMachine(runtimes)
  for (const section of sections) {
    const began = performance.now()
    options.progress(`${section} …`)
    const { run } = await import(`./${section}/index.mjs`)
    results[section] = await run({ ...options, runtimes })
    print(results[section])
    for (const line of worse(results[section].figures, earlier[section])) console.log(line)
    options.progress(`${section}: ${Math.round((performance.now() - began) / 1000)} s`)
  }
})
console.log(`\n${captionOf(machine)}`)
if (json) {
  const all = (property) =>
    Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result[property]]))
  const written = { machine, figures: all('figures'), ...all('json') }
  await writeFile(json, `${JSON.stringify(written, null, 2)}\n`)
}

/** The figures whose control held in both runs, and that are 10 % higher now. */
function worse(figures = {}, before = {}) {
  return Object.entries(figures)
    .filter(([name, figure]) => figure > before[name] * 1.1)
    .map(([name, figure]) => `Worse: ${name}: ${figure.toFixed(2)}, was ${before[name].toFixed(2)}`)
}

/** A section that could not tell sets the exit code 2; one that failed sets 1. */
function print({ tables, remarks = [], failures = [], inconclusive = [] }) {
  for (const { title, head, rows, note } of tables) {
    const texts = rows.map((row) => row.map(String))
    console.log([title, terminalTable(head, texts), note].filter(Boolean).join('\n\n'), '\n')
  }
  for (const line of [...remarks, ...inconclusive, ...failures]) console.log(line)
  if (failures.length > 0) process.exitCode = 1
  else if (inconclusive.length > 0) process.exitCode ??= 2
}
