import { originalOf, outcomeOf } from './report.mjs'
import { runStryker } from './stryker.mjs'

/** Mutants of `control/src/control.ts` whose outcome is known, one of each kind. */
const EXPECTED = {
  'a + b → a - b': 'killed',
  'count += 1 → count -= 1': 'timeout',
  '3 - 2 → 3 + 2': 'timeout',
  'a * b → a / b': 'survived',
  'a - b → a + b': 'no coverage',
  '1 + 1 → 1 - 1': 'constant',
  '\'It fails.\' → ""': 'text',
}

/**
 * Checks the tool before its results are believed.
 *
 * @throws Error if a known mutant has another outcome
 */
export async function checkControl({ workers }) {
  const mutants = await runStryker('packages/trials/mutation/control', { workers })
  for (const [change, expected] of Object.entries(EXPECTED)) {
    const found = mutants.find(
      (mutant) => `${originalOf(mutant)} → ${mutant.replacement}` === change,
    )
    if (found && outcomeOf(found) === expected) continue
    throw new Error(
      `The control ${change} should be ${expected}; got ${found && outcomeOf(found)}.`,
    )
  }
}
