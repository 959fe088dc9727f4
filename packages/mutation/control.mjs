import { join } from 'node:path'
import { mutantsOf } from './mutants.mjs'
import { FAILED, fates, leftOut } from './report.mjs'
import { runTests } from './run.mjs'

/** Changes of `control/packages/control/src/control.ts` whose end is known, one of each kind. */
const EXPECTED = {
  'a + b → a - b': 'killed',
  'count += 1 → count -= 1': 'timeout',
  '3 - 2 → 3 + 2': 'timeout',
  'a * 3 → a / 3': 'killed',
  'a * b → a / b': 'survived',
  'a - b → a + b': 'no coverage',
  '1 + 1 → 1 - 1': 'when loaded',
}

/** Its tests that can say nothing about a mutant, and what the report says of them. */
const LEFT_OUT = {
  'what fails': FAILED,
  'what passes once': 'passes only once in a process',
  'what never runs': 'was skipped, or its hooks failed',
}

/**
 * Looks whether the instrument is right before it is believed.
 *
 * @throws Error where it gives one of the known mutants another end, or does not say which tests it left out.
 */
export async function expectControl(options) {
  const root = join(import.meta.dirname, 'control')
  const { files, mutants } = await mutantsOf('control', [], root)
  const entries = await runTests('control', files, mutants, { ...options, tests: [''], root })
  const judged = fates(mutants, entries)
  for (const [change, expected] of Object.entries(EXPECTED)) {
    const found = judged.find((mutant) => `${mutant.original} → ${mutant.replacement}` === change)
    if (found?.fate === expected) continue
    throw new Error(`The control ${change} should end as ${expected}; got ${found?.fate}.`)
  }
  const lines = leftOut(entries)
  for (const [test, reason] of Object.entries(LEFT_OUT)) {
    if (lines.some((line) => line.includes(`: ${test}: ${reason}`))) continue
    throw new Error(`The control test "${test}" should be left out: ${reason}; got ${lines}.`)
  }
}
