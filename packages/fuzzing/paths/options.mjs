import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'
import { subjects } from './applications.mjs'

const USAGE = `npm run fuzz:paths -- [options]

Sends unsigned requests with random targets to applications that have a guard with a \`path\` in front of
every kind of route. No route may run.

  --targets N       requests to each application (100000)
  --subject NAME    one of the applications: ${Object.keys(subjects).join('; ')} (all)
  --parallel N      applications at once (2)
  --seed N          draws other targets (1)
  --control N       requests to each application with a naive guard first: some have to get through (5000)

Exits with 1 if a route runs behind our guard, or if none runs behind the naive one.`

export function readOptions() {
  const { subject, ...options } = readCommandLine(USAGE, {
    targets: wholeNumber(100_000),
    subject: oneOrAll(Object.keys(subjects)),
    parallel: wholeNumber(2),
    seed: wholeNumber(1),
    control: wholeNumber(5_000),
  })
  return { ...options, subjects: subject }
}
