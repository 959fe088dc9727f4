import { join } from 'node:path'
import { mutantsOf } from './mutants.mjs'
import { fates } from './report.mjs'
import { runTests } from './run.mjs'

/** Changes of `control/packages/control/src/control.ts` whose end is known, one of each kind. */
const EXPECTED = {
  'a + b → a - b': 'killed',
  'count += 1 → count -= 1': 'timeout',
  '3 - 2 → 3 + 2': 'timeout',
  'a * b → a / b': 'survived',
  'a - b → a + b': 'no coverage',
  '1 + 1 → 1 - 1': 'when loaded',
}

/**
 * Looks whether the instrument is right before it is believed.
 *
 * @throws Error where it gives one of the known mutants another end.
 */
export async function expectControl(options) {
  const root = join(import.meta.dirname, 'control')
  const { files, mutants } = await mutantsOf('control', [], root)
  const judged = fates(mutants, await runTests('control', files, { ...options, tests: [''], root }))
  for (const [change, expected] of Object.entries(EXPECTED)) {
    const found = judged.find((mutant) => `${mutant.original} → ${mutant.replacement}` === change)
    if (found?.fate === expected) continue
    throw new Error(`The control ${change} should end as ${expected}; got ${found?.fate}.`)
  }
}
