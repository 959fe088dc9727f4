import {
  flag,
  number,
  oneOf,
  readCommandLine,
  repeated,
  text,
  wholeNumber,
} from '@webhook-receiver/checks/command-line.mjs'
import { publicPackages } from '@webhook-receiver/checks/pack.mjs'

const PACKAGES = (await publicPackages())
  .map(({ folder }) => folder)
  .filter((folder) => folder !== 'contract')

const USAGE = `npm run break -- mutation [package ...] [options]

Changes the source of each package in one place at a time (a mutant) and runs the tests that reach that
place. A mutant is detected if a test fails or runs forever. Prints every mutant that no test detected.

Packages: ${PACKAGES.join(', ')} (default: all)

Which mutants
  --file PART     only source files whose name contains PART; PART/ is a folder; repeatable
  --sample N      only N mutants of each package, drawn at random
  --seed N        of the draw (default: 1)
  --constants     also those in code that runs when a module is loaded; each needs all tests of the package

How
  --workers N     processes at once (default: 2)

Result
  --least SCORE   the score in percent that each package must reach (default: 90)
  --json FILE     writes the result of each mutant

Exits with 1 if a package is below the score. Stops with an error if a test fails without a mutant.`

export function readOptions() {
  const { positionals, file, ...options } = readCommandLine(
    USAGE,
    {
      file: repeated(text(), []),
      sample: wholeNumber(),
      seed: wholeNumber(1, { least: 0 }),
      constants: flag(),
      workers: wholeNumber(2),
      least: number(90, { least: 0, most: 100 }),
      json: text(),
    },
    oneOf(PACKAGES),
  )
  return { ...options, parts: file, packages: positionals.length > 0 ? positionals : PACKAGES }
}
