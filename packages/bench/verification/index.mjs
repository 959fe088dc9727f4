import { fileURLToPath } from 'node:url'
import { run as execute } from '@webhook-receiver/checks/step.mjs'
import { tablesOf } from './tables.mjs'

const PROGRAM = fileURLToPath(new URL('./program.mjs', import.meta.url))

const SIZES = [64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576]
const SMOKE_SIZES = [64, 1024]

/** Verification in one process, relative to plain node:crypto and to alternatives, on each Node and backend. */
export async function run({ quick, smoke, runtimes, progress }) {
  const sizes = smoke ? SMOKE_SIZES : SIZES
  const rounds = smoke ? 1 : quick ? 5 : 31
  const results = []
  for (const { name, version, binary } of runtimes) {
    for (const backend of ['node', 'web']) {
      progress(`verification on ${name}, ${backend} …`)
      const work =
        backend === 'node'
          ? { backend, sizes, shapes: ['message', 'dense'], rounds }
          : { backend, sizes, shapes: ['message'], rounds: Math.min(rounds, 11) }
      const printed = await execute(binary, ['--expose-gc', PROGRAM, JSON.stringify(work)])
      results.push({ name, version, backend, ...JSON.parse(printed) })
    }
  }
  return {
    tables: tablesOf(results),
    json: results,
  }
}
