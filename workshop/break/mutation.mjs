// Changes the source of packages in one place at a time and looks for a test that fails.
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import {
  number,
  oneOf,
  readCommandLine,
  text,
  usageError,
} from '@webhook-receiver/checks/command-line.mjs'
import { publicPackages } from '@webhook-receiver/checks/pack.mjs'

const PACKAGES = (await publicPackages())
  .map(({ folder }) => folder)
  .filter((folder) => folder !== 'contract')

const { mutate, least, positionals } = readCommandLine(
  'break -- mutation',
  `Prints each change (a mutant) that no test of its package detects, and the score: the share of those that are detected. Exits with 1 if a
package is below its score, or if a test fails without a change.`,
  {
    mutate: text(
      'only these source files, such as packages/core/src/contract/timestamp.ts',
      'glob',
    ),
    least: number(90, 'the score in percent', { least: 0, most: 100 }),
  },
  oneOf(PACKAGES, 'packages'),
)
if (positionals.length === 0) usageError('Name a package.')
// Stryker works in a copy of the current folder.
process.chdir(join(import.meta.dirname, '../..'))
for (const name of positionals) {
  await new Stryker({
    configFile: 'workshop/break/stryker.config.mjs',
    mutate: mutate ? [mutate] : [`packages/${name}/src/**/*.ts`, '!**/index.ts'],
    thresholds: { high: 100, low: least, break: least },
    vitest: {
      configFile: 'workshop/break/stryker.vitest.mjs',
      dir: `packages/${name}/test`,
      related: false,
    },
  }).runMutationTest()
}
