// Measures what docs/bench.md shows, and prints the rows of its table.
import { flag, oneOf, readCommandLine } from '@webhook-receiver/checks/command-line.mjs'
import { markdownTable } from '@webhook-receiver/checks/table.mjs'

const SECTIONS = ['verification', 'http', 'stores', 'startup']

const USAGE = `npm run measure -- bench [section ...] [--smoke]

  verification   CPU time of a delivery in one process, relative to plain node:crypto and to other libraries
  http           CPU time of a request to every framework, relative to plain node:crypto
  stores         the heap of the memory store
  startup        import time and size

Default: all of them. With --smoke one sample of verification, to see that it runs.`

const { smoke, positionals } = readCommandLine(USAGE, { smoke: flag() }, oneOf(SECTIONS))
const names = positionals.length > 0 ? positionals : smoke ? ['verification'] : SECTIONS
const rows = []
for (const name of names) {
  console.error(`${name} …`)
  const { measure } = await import(`./${name}.mjs`)
  rows.push(...(await measure(smoke ? 1 : 31)))
}
console.log(markdownTable(['what', 'compared with', 'result'], rows))
console.log(`\nNode ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`)
