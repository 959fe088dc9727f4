import { cpus } from 'node:os'
import { table, tick } from '@webhook-receiver/tools/table.mjs'

const MEBIBYTE = 1024 * 1024

/** Prints what each adapter answered and what it kept; sets the exit code where a promise is broken. */
export function report(results, { milliseconds, connections, seed }) {
  const statuses = [...new Set(results.flatMap((result) => Object.keys(result.statuses)))].sort()
  const row = (name, cell) => [name, ...results.map((result) => String(cell(result)))]
  const mebibytes = (bytes) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`
  const memory = (name, title) => [
    row(`${title}, first quarter`, (result) => mebibytes(result[name].first)),
    row(`${title}, last quarter`, (result) => mebibytes(result[name].last)),
  ]
  console.log(
    table(
      ['', ...results.map(({ adapter }) => adapter)],
      [
        row('requests', ({ requests }) => requests),
        ...statuses.map((status) =>
          row(`answered ${status}`, (found) => found.statuses[status] ?? 0),
        ),
        row('wrong answers', ({ wrong }) => `${tick(wrong === 0)} ${wrong}`),
        ...memory('heap', 'heap'),
        ...memory('rss', 'resident'),
        row('refusals printed', ({ lines }) => lines),
        row('faults', ({ faults }) => `${tick(faults.length === 0)} ${faults.length}`),
      ],
    ),
  )
  console.log(
    `\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${(milliseconds / 60_000).toFixed(2)} minutes, ${connections} connections each, seed ${seed}`,
  )
  for (const { adapter, faults } of results) {
    if (faults.length === 0) continue
    process.exitCode = 1
    console.log(`\n${adapter}:\n  ${faults.slice(0, 12).join('\n  ')}`)
  }
}
