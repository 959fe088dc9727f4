import { fileURLToPath } from 'node:url'
import { startProgram } from '@webhook-receiver/tools/program.mjs'

const PROGRAM = fileURLToPath(new URL('cost-process.mjs', import.meta.url))

/** `none` twice: how far two runs of the same differ is the noise of the others. */
const MODES = ['none', 'none again', 'hooks', 'metrics', 'metrics and spans']

/** The CPU time of a delivery in each mode, relative to `none` of the same round: the median, the least and the most. */
export async function measureCost(rounds) {
  const ratios = new Map(MODES.map((mode) => [mode, []]))
  for (let round = 0; round < rounds; round++) {
    const times = new Map()
    for (const mode of MODES) {
      const program = startProgram(process.execPath, [PROGRAM, mode])
      const { code, stdout, stderr } = await program.ended
      if (code !== 0) throw new Error(`The cost of ${mode} was not measured: ${stderr}`)
      times.set(mode, Number(stdout))
    }
    for (const mode of MODES) ratios.get(mode).push(times.get(mode) / times.get('none'))
  }
  return MODES.slice(1).map((mode) => {
    const sorted = ratios.get(mode).sort((one, other) => one - other)
    return {
      mode,
      ratio: sorted[Math.floor(sorted.length / 2)],
      least: sorted[0],
      most: sorted.at(-1),
    }
  })
}
