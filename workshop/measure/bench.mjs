// Measures what docs/bench.md shows, and prints the rows of its table.
import {
  flag,
  oneOf,
  oneOrAll,
  readCommandLine,
  text,
} from '@webhook-receiver/checks/command-line.mjs'
import { table } from '@webhook-receiver/checks/table.mjs'
import { COMPARED_FRAMEWORKS, COMPARED_SERVICES } from './commit.mjs'

/** What docs/bench.md shows, and a comparison with another commit. */
const SHOWN = ['http', 'stores', 'inbox']
const SECTIONS = [...SHOWN, 'commit']

const { smoke, positionals, ...options } = readCommandLine(
  'measure -- bench',
  `Measures sections of docs/bench.md (default: all but commit), or by commit the CPU time of a request to a handler, relative to the handler
of another commit. Both commits and a second server of the other one, the control, take turns. A figure counts if the control lies within 0.98
and 1.02; otherwise, and while its interval has 1.05 in it, more is measured, up to a bound. Ends with 1 if a figure is above 1.05.`,
  {
    smoke: flag('one sample of each that is named, by default of commit'),
    base: text('the default is the last release before HEAD, or where HEAD left main', 'commit'),
    framework: oneOrAll(COMPARED_FRAMEWORKS, 'of commit'),
    service: oneOrAll(COMPARED_SERVICES, 'of commit'),
  },
  oneOf(SECTIONS, 'sections'),
)
const names = positionals.length > 0 ? positionals : smoke ? ['commit'] : SHOWN
const rows = []
for (const name of names) {
  console.error(`${name} …`)
  const { measure } = await import(`./${name}.mjs`)
  rows.push(...(await measure(smoke ? 1 : 31, options)))
}
console.log(table(['what', 'compared with', 'result'], rows))
console.log(`\nNode ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`)
