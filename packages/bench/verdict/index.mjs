import { fileURLToPath } from 'node:url'
import { run as execute } from '@webhook-receiver/tools/step.mjs'
import { chartsOf } from './charts.mjs'
import { goalsOf } from './figures.mjs'
import { tablesOf } from './tables.mjs'

const PROGRAM = fileURLToPath(new URL('./program.mjs', import.meta.url))

const SIZES = [64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576]
const SMOKE_SIZES = [64, 1024]

/** `receive()` and its parts against the textbook and against today’s libraries, in one process per Node and backend. */
export async function run({ quick, smoke, runtimes, progress }) {
  const sizes = smoke ? SMOKE_SIZES : SIZES
  const rounds = smoke ? 1 : quick ? 5 : 31
  const results = []
  for (const { name, version, binary } of runtimes) {
    for (const [backend, shapes] of Object.entries({
      node: ['message', 'dense'],
      web: ['message'],
    })) {
      progress(`verdict on ${name}, ${backend} …`)
      const work = JSON.stringify({
        backend,
        shapes,
        sizes,
        rounds: backend === 'web' ? Math.min(rounds, 11) : rounds,
      })
      const written = await execute(binary, ['--expose-gc', PROGRAM, work])
      results.push({ name, version, backend, ...JSON.parse(written) })
    }
  }
  return {
    tables: tablesOf(results),
    goals: goalsOf(results),
    charts: chartsOf(results),
    json: results,
  }
}
