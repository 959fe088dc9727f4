// Measures what docs/bench.md shows, and prints the rows of its table.
import {
  flag,
  oneOf,
  oneOrAll,
  readCommandLine,
  text,
} from '@webhook-receiver/checks/command-line.mjs'
import { markdownTable } from '@webhook-receiver/checks/table.mjs'
import { COMPARED_FRAMEWORKS, COMPARED_SERVICES } from './commit.mjs'

/** What docs/bench.md shows, and a comparison with another commit. */
const SHOWN = ['verification', 'http', 'stores', 'startup', 'inbox']
const SECTIONS = [...SHOWN, 'commit']

const USAGE = `npm run measure -- bench [section ...] [--smoke]

  verification   CPU time of a delivery in one process, relative to plain node:crypto and to other libraries
  http           CPU time of a request to every framework, relative to plain node:crypto
  stores         the heap of the memory store
  startup        import time and size
  inbox          the inbox beside graphile-worker and pg-boss, on a PostgreSQL that is started for it, on Linux
  commit         CPU time of a request to a handler, relative to the handler of another commit

Default: all but the last. With --smoke one sample of each that is named, to see that it runs (default: verification and commit).

Options of commit:

  --base COMMIT      what this checkout is compared with (default: the last release before HEAD, or where HEAD left main)
  --framework NAME   ${COMPARED_FRAMEWORKS.join(', ')} or all (default: all)
  --service NAME     ${COMPARED_SERVICES.join(', ')} or all (default: all)

Servers run on the first core and the load on the second. Both commits and a second server of the other one, the control, take turns. A
figure counts if the control lies within 0.98 and 1.02; otherwise, and while its interval has 1.05 in it, more is measured, up to a bound. Ends
with 1 if a figure is above 1.05. Builds are kept in the folder for temporary files.`

const { smoke, positionals, ...options } = readCommandLine(
  USAGE,
  {
    smoke: flag(),
    base: text(),
    framework: oneOrAll(COMPARED_FRAMEWORKS),
    service: oneOrAll(COMPARED_SERVICES),
  },
  oneOf(SECTIONS),
)
const names = positionals.length > 0 ? positionals : smoke ? ['verification', 'commit'] : SHOWN
const rows = []
for (const name of names) {
  console.error(`${name} …`)
  const { measure } = await import(`./${name}.mjs`)
  rows.push(...(await measure(smoke ? 1 : 31, options)))
}
console.log(markdownTable(['what', 'compared with', 'result'], rows))
console.log(`\nNode ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`)
