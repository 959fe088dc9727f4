// Measures the receiver and prints tables, goals and, with --publish, writes the documents and their charts.
import { writeFile } from 'node:fs/promises'
import { judge } from './goals.mjs'
import { describeMachine } from './machine.mjs'
import { readOptions } from './options.mjs'
import { publish } from './publish.mjs'
import { printGoals, printTables } from './report.mjs'
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
    const { goals, ...result } = await run({ ...options, runtimes })
    results[section] = { ...result, goals: options.smoke ? [] : judge(goals) }
    printTables(result.tables)
    options.progress(`${section}: ${Math.round((performance.now() - began) / 1000)} s`)
  }
})
const goals = Object.values(results).flatMap((result) => result.goals)
printGoals(goals, machine)
if (json) {
  const kept = Object.entries(results).map(([section, result]) => [section, result.json])
  await writeFile(
    json,
    `${JSON.stringify({ machine, goals, ...Object.fromEntries(kept) }, null, 2)}\n`,
  )
}
if (published) await publish(results, machine)
