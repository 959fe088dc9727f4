import { cpus } from 'node:os'
import { table, tick } from '@webhook-receiver/tools/table.mjs'

const MEBIBYTE = 1024 * 1024

const MOST_SHOWN = 12

/** Prints what each adapter was sent and what it answered; sets the exit code where a promise is broken. */
export function report(results, { seed, failures }) {
  const statuses = [...new Set(results.flatMap((result) => Object.keys(result.statuses)))].sort()
  const row = (name, cell) => [name, ...results.map((result) => String(cell(result)))]
  const mebibytes = (bytes) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`
  console.log(
    table(
      ['', ...results.map(({ adapter }) => adapter)],
      [
        row('requests', ({ requests }) => requests),
        row('connections', ({ connections }) => connections),
        row('of them given up', ({ gaveUp }) => gaveUp),
        ...statuses.map((status) =>
          row(`answered ${status}`, (found) => found.statuses[status] ?? 0),
        ),
        row('seconds', ({ seconds }) => seconds.toFixed(0)),
        row('longest wait', ({ longest }) => `${longest.toFixed(0)} ms`),
        row('heap, early', ({ heap }) => mebibytes(heap.early)),
        row('heap, end', ({ heap }) => mebibytes(heap.late)),
        row('resident, most', ({ peak }) => mebibytes(peak)),
        row('refusals printed', ({ lines }) => lines),
        row('faults', ({ faults }) => `${tick(faults.length === 0)} ${faults.length}`),
      ],
    ),
  )
  console.log(`\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, seed ${seed}`)
  const wrong = results.filter(({ faults }) => faults.length > 0)
  for (const { adapter, faults } of wrong)
    console.log(`\n${adapter}:\n  ${faults.slice(0, MOST_SHOWN).join('\n  ')}`)
  if (wrong.length === 0) return
  process.exitCode = 1
  console.log(`\nnpm run fuzz:sockets -- --replay ${failures}`)
}
