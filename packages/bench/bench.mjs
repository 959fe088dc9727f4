// Measures the receiver and prints tables. With --publish, also writes the documents and their charts.
import { writeFile } from 'node:fs/promises'
import { terminalTable } from '@webhook-receiver/tools/table.mjs'
import { captionOf, describeMachine } from './machine.mjs'
import { readOptions } from './options.mjs'
import { publish } from './publish.mjs'
import { withRuntimes } from './runtimes.mjs'

const { sections, lines, json, published, ...options } = readOptions()
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
    options.progress(`${section}: ${Math.round((performance.now() - began) / 1000)} s`)
  }
})
console.log(`\n${captionOf(machine)}`)
if (json) {
  const kept = Object.entries(results).map(([section, result]) => [section, result.json])
  await writeFile(json, `${JSON.stringify({ machine, ...Object.fromEntries(kept) }, null, 2)}\n`)
}
if (published) await publish(results, machine)

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
