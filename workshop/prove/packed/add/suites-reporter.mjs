import { appendFileSync } from 'node:fs'

/**
 * A reporter of node:test: writes to the file `SUITES` a line of JSON for each suite, with its name and what failed in it. What it yielded
 * would be lost where the process is made to exit.
 */
export default async function* suites(events) {
  let problems = []
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { error } = data.details
    if (error && error.failureType !== 'subtestsFailed')
      problems.push(`${data.name}: ${error.cause?.stack ?? error.message}`)
    if (data.nesting > 0) continue
    appendFileSync(process.env.SUITES, `${JSON.stringify({ name: data.name, problems })}\n`)
    problems = []
    yield ''
  }
}
